import { annotations as names, labels, Machine, MachineDeployment, MachineSet, nodeLabelDomains } from "#api";
import { wrap } from "#base";
import { compareText } from "#conditions";
import { infraMachine, readProvider } from "#contract";
import type { Pass, Reader } from "#control";
import { controllerOf, deepEqual, isConflict, type Json, type JsonObject, type OwnerReference } from "#machinery";
import { machinesByNodeName, Node } from "#workload";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import { type TaintOptions, taintsFor } from "./node-taints.ts";
import type { MachinePorts } from "./ports.ts";

type Texts = Readonly<Record<string, string>>;
type MachinePass = Pass<Machine, MachineFacts, MachinePorts>;

/** What a Node gets of its Machine, besides what stands on the Machine itself. */
export interface SyncOptions extends Pick<MachinePorts, "syncedLabels" | "syncedAnnotations">, TaintOptions {
  /** The infrastructure may take the machine away at any time. */
  readonly isInterruptible: boolean;
}

/** Brings labels, annotations and taints of a Machine to its Node; writes only what differs, and over nobody's work. */
export async function syncNode(pass: MachinePass, node: Node): Promise<void> {
  const { object: machine, ports, reader, signal, events, log } = pass;
  const { name = "" } = node.metadata;
  const other = await olderMachineOf(machine, name, reader, signal);
  if (other !== undefined) {
    // Two that write to the same Node would undo each other's work for ever.
    log.warn("another Machine has this Node too", { Node: name, Machine: other });
    return;
  }
  const isOutdated = await isOfOldRevision(machine, reader, signal);
  const isInterruptible = await isTakenAwayAnyTime(pass);
  const propagated = ports.features.MachineTaintPropagation;
  const patch = nodePatch(machine, node, { ...ports, isOutdated, isInterruptible, propagated });
  if (patch === undefined) return;
  try {
    await ports.workload.client(clusterKeyOf(machine)).patch(Node, { name }, { kind: "merge", patch }, { signal });
  } catch (error) {
    if (isConflict(error)) throw error;
    throw wrap(error, `failed to reconcile Node ${name}`);
  }
  if (isInterruptible && !Object.hasOwn(node.metadata.labels ?? {}, labels.interruptible)) {
    events.record("Normal", "SuccessfulSetInterruptibleNodeLabel", name);
  }
}

/** What a Node lacks of its Machine, or has too much, as a merge patch; nothing where they are in step. */
export function nodePatch(machine: Machine, node: Node, options: SyncOptions): JsonObject | undefined {
  const wantedLabels = {
    ...pick(machine.metadata.labels, (key) => isNodeLabel(key) || options.syncedLabels(key)),
    ...(options.isInterruptible ? { [labels.interruptible]: "" } : {}),
  };
  const handed = pick(
    machine.metadata.annotations,
    (key) => isIn(nodeLabelDomains.managedNode, key) || options.syncedAnnotations(key),
  );
  const has = node.metadata.annotations ?? {};
  const { taints, annotations } = taintsFor(machine, node, options);
  const metadata = {
    labels: difference(node.metadata.labels, wantedLabels, listed(has[names.labelsFromMachine])),
    annotations: difference(
      has,
      { ...handed, ...identityOf(machine), ...bookkeeping(wantedLabels, handed), ...annotations },
      [...listed(has[names.annotationsFromMachine]), names.ownerKind, names.ownerName],
    ),
  };
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

function difference(has: Texts = {}, wanted: Texts, broughtBefore: readonly string[]): Record<string, Json> {
  const changed = Object.entries(wanted).filter(([key, value]) => has[key] !== value);
  const stale = broughtBefore.filter((key) => Object.hasOwn(has, key) && !Object.hasOwn(wanted, key));
  return Object.fromEntries([...changed, ...stale.map((key) => [key, null] as const)]);
}

function listed(text = ""): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}

/** The name of another Machine that has had the Node for longer. */
async function olderMachineOf(
  machine: Machine,
  nodeName: string,
  reader: Reader,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace = "", name = "" } = machine.metadata;
  const indexed = { by: machinesByNodeName, value: nodeName };
  const machines = await reader.list(Machine, { namespace, indexed, signal });
  const isOlder = ({ metadata, spec }: Machine): boolean =>
    metadata.name !== name && spec.clusterName === machine.spec.clusterName && compareText(ageOf(metadata), age) < 0;
  const age = ageOf(machine.metadata);
  return machines.find(isOlder)?.metadata.name;
}

function ageOf({ creationTimestamp, name = "" }: Machine["metadata"]): string {
  return `${creationTimestamp ?? ""} ${name}`;
}

async function isTakenAwayAnyTime({ object: machine, reader, signal }: MachinePass): Promise<boolean> {
  const namespace = machine.metadata.namespace ?? "";
  const read = await readProvider(reader, machine.spec.infrastructureRef, { namespace, signal });
  return read?.kind === "found" && infraMachine.interruptible.get(read.object) === true;
}

/** True for a Machine of a MachineSet that its MachineDeployment has left behind; undefined where one of them is gone. */
async function isOfOldRevision(machine: Machine, reader: Reader, signal: AbortSignal): Promise<boolean | undefined> {
  const { namespace = "", labels: own = {}, ownerReferences = [] } = machine.metadata;
  const deploymentName = own[labels.deploymentName];
  if (deploymentName === undefined) return false;
  // Not by its label: that may be a hash of the name.
  const setName = ownerReferences.find(isMachineSet)?.name;
  if (setName === undefined) return undefined;
  const set = await reader.find(MachineSet, { namespace, name: setName }, { signal });
  const deployment = await reader.find(MachineDeployment, { namespace, name: deploymentName }, { signal });
  if (set === undefined || deployment === undefined) return undefined;
  return revisionOf(set) < revisionOf(deployment);
}

function isMachineSet({ apiVersion, kind }: OwnerReference): boolean {
  return kind === MachineSet.kind && apiVersion.startsWith(`${MachineSet.group}/`);
}

/** Who has no revision yet is at the beginning. */
function revisionOf({ metadata }: MachineSet | MachineDeployment): number {
  const text = metadata.annotations?.[names.revision] ?? "";
  return /^\d+$/.test(text) ? Number(text) : 0;
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
