import { type Cluster, labels, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { between, CapstanError, describeError, type Next, requeueAfter, retry, type Timestamp } from "#base";
import { compareText } from "#conditions";
import { readProvider } from "#contract";
import { defineStep, type Index, type Looking, type Reader } from "#control";
import { type KubeObject, namespacedName } from "#machinery";
import { descendantFacts, type Descendants } from "./descendant-facts.ts";
import { DescendantsUnreadError } from "./errors.ts";
import type { ClusterFacts } from "./facts.ts";
import { awaitsTopology } from "./initial-facts.ts";
import type { ClusterPorts } from "./ports.ts";
import { controlPlaneMachineCounts, workerCounts } from "./replicas.ts";

/** Files every object under the Cluster that its label names. */
export const byCluster: Index = {
  name: "cluster",
  valuesOf: ({ metadata }: KubeObject) => {
    const name = metadata.labels?.[labels.clusterName];
    return name === undefined ? [] : [namespacedName({ namespace: metadata.namespace ?? "", name })];
  },
};

/** Lists what is below the Cluster, and counts it. */
export const descendants = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "descendants",
  text: "list MachineDeployments, MachineSets, MachinePools and Machines of the Cluster; count their replicas",
  independent: true,
  observe: observeDescendants,

  run({ object: cluster, facts }) {
    if (facts.descendants.kind === "listed") return untilSettled(facts.descendants, facts.now);
    return awaitsTopology(cluster) ? undefined : retry(new DescendantsUnreadError(facts.descendants.error));
  },
});

/** What the objects below the Cluster say together. */
async function observeDescendants({
  object: cluster,
  reader,
  signal,
  facts,
  ports,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Partial<ClusterFacts>> {
  if (awaitsTopology(cluster)) return {};
  try {
    const all = await listDescendants(reader, cluster, { signal, machinePools: ports.features.MachinePool });
    const controlPlane = await controlPlaneObject(reader, cluster, signal);
    const options = { now: facts.now, machinePoolsRollOut: ports.machinePoolsRollOut };
    const isOfMachines = cluster.spec.controlPlaneRef === undefined && cluster.spec.topology === undefined;
    return {
      descendants: descendantFacts(cluster, all, controlPlane === undefined ? options : { ...options, controlPlane }),
      replicas: {
        ...facts.replicas,
        ...(isOfMachines ? { controlPlane: controlPlaneMachineCounts(all.machines) } : {}),
        workers: workerCounts(cluster, all),
      },
    };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { descendants: { kind: "failed", error: describeError(error) } };
  }
}

/** Machines that are not asked yet whether they are up to date will be, even if nothing else happens. */
function untilSettled({ settlesAt }: { readonly settlesAt?: Timestamp }, now: Timestamp): Next | undefined {
  if (settlesAt === undefined) return undefined;
  return requeueAfter(between(now, settlesAt), "new Machines have a moment to say whether they are up to date");
}

/** The objects below a Cluster, each kind by name. */
export async function listDescendants(
  reader: Reader,
  { metadata }: Cluster,
  { signal, machinePools }: { readonly signal: AbortSignal; readonly machinePools: boolean },
): Promise<Descendants> {
  const { namespace = "", name = "" } = metadata;
  const options = { namespace, signal, indexed: { by: byCluster, value: namespacedName({ namespace, name }) } };
  const [deployments, sets, pools, machines] = await Promise.all([
    reader.list(MachineDeployment, options),
    reader.list(MachineSet, options),
    machinePools ? reader.list(MachinePool, options) : [],
    reader.list(Machine, options),
  ]);
  return {
    machineDeployments: byName(deployments),
    machineSets: byName(sets),
    machinePools: byName(pools),
    machines: byName(machines),
  };
}

async function controlPlaneObject(reader: Reader, { metadata, spec }: Cluster, signal: AbortSignal) {
  const read = await readProvider(reader, spec.controlPlaneRef, { namespace: metadata.namespace ?? "", signal });
  return read?.kind === "found" ? read.object : undefined;
}

function byName<Obj extends KubeObject>(objects: readonly Obj[]): readonly Obj[] {
  return objects.toSorted((a, b) => compareText(a.metadata.name ?? "", b.metadata.name ?? ""));
}
