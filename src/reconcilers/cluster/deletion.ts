import { annotations, Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { CapstanError, describeError, requeueAfter, retry, seconds, toError } from "#base";
import { type ContractVersionedObjectReference, ownersOf, ProviderReadError, readProvider } from "#contract";
import { defineStep, isChanged, type Pass, type StepResult } from "#control";
import { isNotFound, isOwnedBy, keyOf, kindOf, type KubeObject } from "#machinery";
import { type Descendants, isControlPlane } from "./descendant-facts.ts";
import { listDescendants } from "./descendants.ts";
import type { ClusterFacts, DeletionFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";
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
      if (!(error instanceof CapstanError)) throw error;
      pass.learn({ deletion: { kind: "failed", error: describeError(error) } });
      return retry(toError(error));
    }
  },
});

interface Progress {
  readonly stage: DeletionFacts;
  /** Nothing where the finalizer may go. */
  readonly next?: StepResult;
}

async function takeAway(pass: ClusterPass): Promise<Progress> {
  const { object: cluster, ports, reader, signal } = pass;
  if (waitsForHook(cluster, ports)) {
    const stage = { kind: "waiting-for-hook", message: "Waiting for BeforeClusterDelete hook" } as const;
    return { stage, next: requeueAfter(countAgain, "the BeforeClusterDelete hook has not let go yet") };
  }
  const all = await listDescendants(reader, cluster, { signal, machinePools: ports.features.MachinePool });
  const hasObject = cluster.spec?.controlPlaneRef !== undefined;
  const workers = workersOf(all);
  if (count(workers) > 0) {
    await deleteOwned(pass, workers);
    const shown = hasObject ? workers : { ...workers, machines: all.machines };
    return {
      stage: { kind: "waiting-for-workers", remaining: remaining(shown) },
      next: requeueAfter(countAgain, "workers are still there"),
    };
  }
  const controlPlane = await deleteProvider(pass, cluster.spec?.controlPlaneRef);
  if (controlPlane !== undefined) {
    return { stage: { kind: "waiting-for-control-plane", remaining: controlPlane }, next: awaited };
  }
  if (!hasObject && all.machines.length > 0) {
    await deleteOwned(pass, all);
    return { stage: { kind: "waiting-for-control-plane", remaining: remaining(all) }, next: awaited };
  }
  const infrastructure = await deleteProvider(pass, cluster.spec?.infrastructureRef);
  if (infrastructure !== undefined) {
    return { stage: { kind: "waiting-for-infrastructure", remaining: infrastructure }, next: awaited };
  }
  return { stage: { kind: "completed" } };
}

/** Events of what is being deleted wake the Cluster; the timer is for those that were missed. */
const awaited = requeueAfter(seconds(30), "what is being deleted is still there");

function waitsForHook({ metadata, spec }: Cluster, { features }: ClusterPorts): boolean {
  if (!features.RuntimeSDK || !features.ClusterTopology || spec?.topology === undefined) return false;
  return !Object.hasOwn(metadata.annotations ?? {}, annotations.okToDelete);
}

function workersOf(all: Descendants): Descendants {
  return { ...all, machines: all.machines.filter((machine) => !isControlPlane(machine)) };
}

function count({ machineDeployments, machineSets, machinePools, machines }: Descendants): number {
  return machineDeployments.length + machineSets.length + machinePools.length + machines.length;
}

/** Only what the Cluster itself owns: the rest goes with its owners. */
async function deleteOwned({ object: cluster, client, signal }: ClusterPass, all: Descendants): Promise<void> {
  const kinds = [
    [MachineDeployment, all.machineDeployments],
    [MachinePool, all.machinePools],
    [MachineSet, all.machineSets],
    [Machine, all.machines],
  ] as const;
  for (const [kind, objects] of kinds) {
    for (const object of objects) {
      if (object.metadata.deletionTimestamp !== undefined || !isOwnedBy(object, cluster, Cluster)) continue;
      await unlessGone(client.delete(kind, keyOf(object), { signal, propagationPolicy: "Background" }));
    }
  }
}

/** Asks an object of a provider to go; the text says that it is still there, nothing that it is gone. */
async function deleteProvider(
  { object: cluster, reader, client, watch, signal }: ClusterPass,
  ref: ContractVersionedObjectReference | undefined,
): Promise<string | undefined> {
  const read = await readProvider(reader, ref, { namespace: cluster.metadata.namespace ?? "", signal });
  if (ref === undefined || read === undefined || read.kind === "absent") return undefined;
  if (read.kind === "failed") throw new ProviderReadError(read.error);
  await ask(read.object);
  return `Waiting for ${ref.kind} to be deleted`;

  async function ask(object: KubeObject): Promise<void> {
    await watch(kindOf(object), (changed) => ownersOf(changed, Cluster), { predicate: isChanged });
    if (object.metadata.deletionTimestamp !== undefined) return;
    await unlessGone(client.delete(kindOf(object), keyOf(object), { signal, propagationPolicy: "Background" }));
  }
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
