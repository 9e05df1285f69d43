import { type Cluster, ClusterClass } from "#api";
import { CapstanError, describeError } from "#base";
import { abandon, defineStep, type Looking } from "#control";
import type { ObjectKey } from "#machinery";
import { ClusterClassUnreadError } from "./errors.ts";
import type { ClassLookup, ClusterFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";

/** Reads the class of a Cluster that has a topology. */
export const clusterClass = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "cluster-class",
  text: "read the ClusterClass that the topology names; without it nothing is said about the Cluster",
  async observe(looking) {
    return { clusterClass: await classOf(looking) };
  },
  run({ facts }) {
    if (facts.clusterClass.kind !== "failed") return undefined;
    return abandon(new ClusterClassUnreadError(facts.clusterClass.error));
  },
});

async function classOf({
  object: cluster,
  reader,
  signal,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<ClassLookup> {
  const key = classKeyOf(cluster);
  if (key === undefined) return { kind: "none" };
  try {
    const found = await reader.find(ClusterClass, key, { signal });
    if (found !== undefined) return { kind: "found", availabilityGates: found.spec.availabilityGates ?? [] };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { kind: "failed", error: describeError(error) };
  }
  // A class that went first must not keep its Clusters from going.
  if (cluster.metadata.deletionTimestamp !== undefined) return { kind: "none" };
  return { kind: "failed", error: `ClusterClass ${key.namespace}/${key.name} does not exist` };
}

function classKeyOf({ metadata, spec }: Cluster): Required<ObjectKey> | undefined {
  const ref = spec.topology?.classRef;
  return ref === undefined ? undefined : { namespace: ref.namespace ?? metadata.namespace ?? "", name: ref.name };
}
