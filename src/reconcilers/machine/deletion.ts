import { hookAnnotationPrefixes, type Machine } from "#api";
import {
  awaitChange,
  CapstanError,
  describeError,
  type Next,
  requeueAfter,
  retry,
  seconds,
  toError,
  wrap,
} from "#base";
import { compareText } from "#conditions";
import { type ContractVersionedObjectReference, isDefined, ownersOf, ProviderReadError, readProvider } from "#contract";
import { defineStep, isChanged, type Pass } from "#control";
import { isNotFound, keyOf, kindOf } from "#machinery";
import { clusterOf } from "./cluster-of-machine.ts";
import { deleteNode, detachVolumes, drain } from "./leave-node.ts";
import type { DeletionFacts, MachineFacts } from "./machine-facts.ts";
import { nodeToLeave } from "./node-to-leave.ts";
import type { MachinePorts } from "./ports.ts";

/** A pass over a Machine. */
export type MachinePass = Pass<Machine, MachineFacts, MachinePorts>;

/** Where a deletion stands, and when to look again; nothing to look for where it can go on. */
export interface Stage {
  readonly stage: DeletionFacts;
  readonly next: Next;
}

/** Events of what is being deleted wake the Machine; the timer is for those that were missed. */
const awaited = requeueAfter(seconds(30), "what is being deleted is still there");

/** Takes away what belongs to a Machine, in the order that loses nothing. */
export const deletion = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "deletion",
  text: "wait for hooks, drain the Node, wait for its volumes, delete infrastructure, bootstrap config and Node",
  learns: ["deletion"],

  async run(pass) {
    try {
      const { stage, next } = (await takeAway(pass)) ?? { stage: { kind: "completed" }, next: undefined };
      pass.learn({ deletion: stage });
      return next;
    } catch (error) {
      pass.signal.throwIfAborted();
      if (!(error instanceof CapstanError)) throw error;
      pass.learn({ deletion: { kind: "failed", error: describeError(error) } });
      return retry(toError(error));
    }
  },
});

/** The first thing that the Machine still has to wait for; undefined where nothing is left. */
async function takeAway(pass: MachinePass): Promise<Stage | undefined> {
  const { object: machine, reader, signal } = pass;
  const cluster = await clusterOf(machine, reader, { signal });
  const nodeName = await nodeToLeave(pass, cluster);
  if (nodeName !== undefined) {
    const waits =
      hooksOf(machine, "preDrain", "pre-drain-hooks") ??
      (await drain(pass, cluster, nodeName)) ??
      (await detachVolumes(pass, cluster, nodeName));
    if (waits !== undefined) return waits;
  }
  const { bootstrap, infrastructureRef } = machine.spec;
  return (
    hooksOf(machine, "preTerminate", "pre-terminate-hooks") ??
    (await deleteProvider(pass, infrastructureRef, "infrastructure")) ??
    (await deleteProvider(pass, bootstrap.configRef, "bootstrap")) ??
    // Only when the machine is gone: a Node that is deleted earlier would be made again by its kubelet.
    (nodeName === undefined ? undefined : await deleteNode(pass, nodeName))
  );
}

/** Whoever set a hook takes it off, and that wakes the Machine. */
function hooksOf(
  { metadata }: Machine,
  hook: "preDrain" | "preTerminate",
  kind: "pre-drain-hooks" | "pre-terminate-hooks",
): Stage | undefined {
  const hooks = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith(hookAnnotationPrefixes[hook]));
  if (hooks.length === 0) return undefined;
  return { stage: { kind, hooks: hooks.toSorted(compareText) }, next: awaitChange };
}

/** Asks an object of a provider to go, and waits until it has. */
async function deleteProvider(
  { object: machine, reader, client, watch, signal }: MachinePass,
  ref: ContractVersionedObjectReference | undefined,
  kind: "infrastructure" | "bootstrap",
): Promise<Stage | undefined> {
  if (ref === undefined || !isDefined(ref)) return undefined;
  const read = await readProvider(reader, ref, { namespace: machine.metadata.namespace ?? "", signal });
  if (read === undefined || read.kind === "absent") return undefined;
  if (read.kind === "failed") throw new ProviderReadError(read.error);
  const { object } = read;
  await watch(kindOf(object), (changed) => ownersOf(changed, kindOf(machine)), { predicate: isChanged });
  if (object.metadata.deletionTimestamp === undefined) {
    try {
      await client.delete(kindOf(object), keyOf(object), { signal, propagationPolicy: "Background" });
    } catch (error) {
      if (!isNotFound(error)) throw wrap(error, `Failed to delete ${ref.kind}`);
    }
  }
  return { stage: { kind, message: `Waiting for ${ref.kind} to be deleted` }, next: awaited };
}
