import { annotations, Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import {
  aggregate,
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
import { type ContractVersionedObjectReference, type ProviderLookup, ProviderReadError, readProvider } from "#contract";
import { defineStep, type Pass } from "#control";
import { describeKey, isNotFound, isOwnedBy, keyOf, kindOf, type KubeObject } from "#machinery";
import { type Descendants, isControlPlane } from "./descendant-facts.ts";
import { listDescendants } from "./descendants.ts";
import type { ClusterFacts, DeletionFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";
import { isLeaving } from "./provider-object.ts";
import { remaining } from "./remaining.ts";

type ClusterPass = Pass<Cluster, ClusterFacts, ClusterPorts>;

/** How often workers on their way out are counted. */
const countAgain = seconds(5);

/** Takes away what belongs to a Cluster: workers, then the control plane, then the infrastructure. */
export const deletion = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "deletion",
  text: "delete workers, then the control plane, then the infrastructure, each when the one before is gone",
  learns: ["deletion"],

  async run(pass) {
    try {
      const { stage, next } = await takeAway(pass);
      pass.learn({ deletion: stage });
      return next;
    } catch (error) {
      pass.signal.throwIfAborted();
      if (!(error instanceof CapstanError) && !(error instanceof AggregateError)) throw error;
      pass.learn({ deletion: { kind: "failed", error: describeError(error) } });
      return retry(toError(error));
    }
  },
});

interface Progress {
  readonly stage: DeletionFacts;
  /** Nothing where the finalizer may go. */
  readonly next?: Next;
}

async function takeAway(pass: ClusterPass): Promise<Progress> {
  const { object: cluster, facts, events } = pass;
  const { descendants } = facts;
  if (waitsForHook(cluster, pass.ports)) {
    return { stage: { kind: "waiting-for-hook", message: "Waiting for BeforeClusterDelete hook" }, next: awaitChange };
  }
  // The step that could not list them asks for the next try.
  if (descendants.kind === "failed") return { stage: descendants, next: awaitChange };
  return (
    (await takeMachines(pass)) ??
    (await takeProvider(pass, "waiting-for-control-plane", cluster.spec.controlPlaneRef, facts.controlPlane)) ??
    (await takeProvider(pass, "waiting-for-infrastructure", cluster.spec.infrastructureRef, facts.infrastructure)) ??
    completed()
  );

  function completed(): Progress {
    const { name = "" } = cluster.metadata;
    events.record("Normal", "Deleted", `Cluster ${name} has been deleted`);
    return { stage: { kind: "completed" } };
  }
}

function waitsForHook({ metadata, spec }: Cluster, { features }: ClusterPorts): boolean {
  if (!features.RuntimeSDK || !features.ClusterTopology || spec.topology === undefined) return false;
  return !Object.hasOwn(metadata.annotations ?? {}, annotations.okToDelete);
}

/** Asks Machines, and what makes them, to go; where the control plane has an object, its Machines are left to it. */
async function takeMachines(pass: ClusterPass): Promise<Progress | undefined> {
  const { object: cluster, ports, reader, signal } = pass;
  const all = await listDescendants(reader, cluster, { signal, machinePools: ports.features.MachinePool });
  const workers = { ...all, machines: all.machines.filter((machine) => !isControlPlane(machine)) };
  const pending = cluster.spec.controlPlaneRef === undefined ? all : workers;
  if (count(pending) === 0) return undefined;
  // Workers are drained with the help of the control plane, so that it goes last even where it has no object.
  await deleteOwned(pass, count(workers) > 0 ? workers : pending);
  return {
    stage: { kind: "waiting-for-workers", remaining: remaining(pending) },
    next: requeueAfter(countAgain, "workers are still there"),
  };
}

function count({ machineDeployments, machineSets, machinePools, machines }: Descendants): number {
  return machineDeployments.length + machineSets.length + machinePools.length + machines.length;
}

/** Only what the Cluster itself owns: the rest goes with its owners. One that cannot be deleted does not keep the others. */
async function deleteOwned({ object: cluster, client, signal }: ClusterPass, all: Descendants): Promise<void> {
  const kinds = [
    [MachinePool, all.machinePools],
    [MachineDeployment, all.machineDeployments],
    [MachineSet, all.machineSets],
    [Machine, all.machines],
  ] as const;
  const errors: Error[] = [];
  for (const [kind, objects] of kinds) {
    for (const object of objects) {
      if (isLeaving(object) || !isOwnedBy(object, cluster, Cluster)) continue;
      try {
        await client.delete(kind, keyOf(object), { signal, propagationPolicy: "Background" });
      } catch (error) {
        signal.throwIfAborted();
        const key = describeKey(keyOf(cluster));
        const what = `error deleting cluster ${key}: failed to delete ${kind.kind} ${object.metadata.name ?? ""}`;
        if (!isNotFound(error)) errors.push(wrap(error, what));
      }
    }
  }
  const failure = aggregate(errors);
  if (failure !== undefined) throw failure;
}

/** Asks an object of a provider to go; its events, and those of its end, bring the next pass. */
async function takeProvider(
  { object: cluster, reader, client, signal }: ClusterPass,
  kind: "waiting-for-control-plane" | "waiting-for-infrastructure",
  ref: ContractVersionedObjectReference | undefined,
  lookup: ProviderLookup,
): Promise<Progress | undefined> {
  if (ref === undefined) return undefined;
  // The step that could not read it asks for the next try.
  if (lookup.kind === "failed") return { stage: { kind: "failed", error: lookup.error }, next: awaitChange };
  const read = await readProvider(reader, ref, { namespace: cluster.metadata.namespace ?? "", signal });
  if (read?.kind === "failed") throw new ProviderReadError(read.error);
  if (read?.kind !== "found") return undefined;
  if (!isLeaving(read.object)) await ask(read.object);
  return { stage: { kind, remaining: `Waiting for ${ref.kind} to be deleted` }, next: awaitChange };

  async function ask(object: KubeObject): Promise<void> {
    try {
      await client.delete(kindOf(object), keyOf(object), { signal, propagationPolicy: "Background" });
    } catch (error) {
      if (isNotFound(error)) return;
      const { name = "", namespace = "" } = cluster.metadata;
      throw wrap(
        error,
        `failed to delete ${ref?.kind} "${ref?.name}" for Cluster "${name}" in namespace "${namespace}"`,
      );
    }
  }
}
