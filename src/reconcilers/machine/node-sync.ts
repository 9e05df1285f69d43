import {
  annotations as names,
  labels,
  type Machine,
  MachineDeployment,
  MachineSet,
  nodeLabelDomains,
  nodeTaints,
} from "#api";
import { compareText } from "#conditions";
import type { Pass, Reader } from "#control";
import { controllerOf, deepEqual, type Json, type JsonObject } from "#machinery";
import { Node } from "#workload";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

type Texts = Readonly<Record<string, string>>;

/** Brings labels, annotations and taints of a Machine to its Node; writes only what differs. */
export async function syncNode(pass: Pass<Machine, MachineFacts, MachinePorts>, node: Node): Promise<void> {
  const { object: machine, ports, reader, signal } = pass;
  const isOutdated = await isOfOldRevision(machine, reader, signal);
  const patch = nodePatch(machine, node, { ...ports, isOutdated });
  if (patch === undefined) return;
  const key = { name: node.metadata.name ?? "" };
  await ports.workload.client(clusterKeyOf(machine)).patch(Node, key, { kind: "merge", patch }, { signal });
}

/** What a Node lacks of its Machine, or has too much, as a merge patch; nothing where they are in step. */
export function nodePatch(
  machine: Machine,
  node: Node,
  options: Pick<MachinePorts, "syncedLabels" | "syncedAnnotations"> & { readonly isOutdated: boolean },
): JsonObject | undefined {
  const wantedLabels = pick(machine.metadata.labels, (key) => isNodeLabel(key) || options.syncedLabels(key));
  const handed = pick(
    machine.metadata.annotations,
    (key) => isIn(nodeLabelDomains.managedNode, key) || options.syncedAnnotations(key),
  );
  const has = node.metadata.annotations ?? {};
  const metadata = {
    labels: difference(node.metadata.labels, wantedLabels, has[names.labelsFromMachine]),
    annotations: difference(
      has,
      { ...handed, ...identityOf(machine), ...bookkeeping(wantedLabels, handed) },
      has[names.annotationsFromMachine],
    ),
  };
  const taints = taintsFor(node, options.isOutdated);
  const sameTaints = deepEqual(taints, node.spec?.taints ?? []);
  if (isEmpty(metadata.labels) && isEmpty(metadata.annotations) && sameTaints) return undefined;
  return {
    metadata: { resourceVersion: node.metadata.resourceVersion ?? null, ...metadata },
    ...(sameTaints ? {} : { spec: { taints: taints.length === 0 ? null : taints.map((taint) => ({ ...taint })) } }),
  };
}

/** Where a Node comes from, for people who only see the workload cluster. */
function identityOf(machine: Machine): Texts {
  const owner = controllerOf(machine);
  const { namespace = "", name = "" } = machine.metadata;
  return {
    [names.clusterName]: machine.spec.clusterName,
    [names.clusterNamespace]: namespace,
    [names.machine]: name,
    ...(owner === undefined ? {} : { [names.ownerKind]: owner.kind, [names.ownerName]: owner.name }),
  };
}

/** What was brought from the Machine is written down, so that it can be taken away again. */
function bookkeeping(fromLabels: Texts, fromAnnotations: Texts): Texts {
  const list = (texts: Texts) => Object.keys(texts).toSorted(compareText).join(",");
  return { [names.labelsFromMachine]: list(fromLabels), [names.annotationsFromMachine]: list(fromAnnotations) };
}

function difference(has: Texts = {}, wanted: Texts, broughtBefore = ""): Record<string, Json> {
  const changed = Object.entries(wanted).filter(([key, value]) => has[key] !== value);
  const stale = broughtBefore
    .split(",")
    .filter((key) => key !== "" && Object.hasOwn(has, key) && !Object.hasOwn(wanted, key));
  return Object.fromEntries([...changed, ...stale.map((key) => [key, null] as const)]);
}

function taintsFor({ spec }: Node, isOutdated: boolean) {
  const { uninitialized, outdatedRevision } = nodeTaints;
  const is =
    (wanted: { readonly key: string; readonly effect: string }) =>
    (taint: { readonly key: string; readonly effect: string }) =>
      taint.key === wanted.key && taint.effect === wanted.effect;
  const others = (spec?.taints ?? []).filter((taint) => !is(uninitialized)(taint));
  if (!isOutdated) return others.filter((taint) => !is(outdatedRevision)(taint));
  return others.some(is(outdatedRevision)) ? others : [...others, { ...outdatedRevision }];
}

/** True for a Machine of a MachineSet that its MachineDeployment has left behind. */
async function isOfOldRevision(machine: Machine, reader: Reader, signal: AbortSignal): Promise<boolean> {
  const { namespace = "", labels: own = {} } = machine.metadata;
  const [setName, deploymentName] = [controllerOf(machine)?.name, own[labels.deploymentName]];
  if (setName === undefined || deploymentName === undefined) return false;
  const set = await reader.find(MachineSet, { namespace, name: setName }, { signal });
  const deployment = await reader.find(MachineDeployment, { namespace, name: deploymentName }, { signal });
  const [ours, newest] = [revisionOf(set), revisionOf(deployment)];
  return ours !== undefined && newest !== undefined && ours < newest;
}

function revisionOf(object: { readonly metadata: { readonly annotations?: Texts } } | undefined): number | undefined {
  const text = object?.metadata.annotations?.[names.revision];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function isNodeLabel(key: string): boolean {
  const { nodeRole, nodeRestriction, managedNode } = nodeLabelDomains;
  return domainOf(key) === nodeRole || isIn(nodeRestriction, key) || isIn(managedNode, key);
}

function isIn(domain: string, key: string): boolean {
  const own = domainOf(key);
  return own === domain || own.endsWith(`.${domain}`);
}

function domainOf(key: string): string {
  return key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
}

function pick(texts: Texts | undefined, isWanted: (key: string) => boolean): Texts {
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([key]) => isWanted(key)));
}

function isEmpty(changes: object): boolean {
  return Object.keys(changes).length === 0;
}
