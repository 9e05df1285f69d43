import { False, holds, nothing, row } from "#conditions";
import type { ProviderLookup } from "#contract";
import type { ClusterFacts } from "./facts.ts";

/** The object is not named yet: a topology will name it. */
export function unnamedRows(what: string, lookupIn: (facts: ClusterFacts) => ProviderLookup) {
  const unnamed = (facts: ClusterFacts) => lookupIn(facts).kind === "unreferenced" && facts.cluster.hasTopology;
  return [
    row({
      id: "topology-deleting",
      when: holds(
        `${what} is not named, the Cluster has a topology and is deleting`,
        (facts: ClusterFacts) => unnamed(facts) && facts.cluster.deleting,
      ),
      ensure: nothing("it will not be made any more"),
      report: False("ObjectDoesNotExist"),
    }),
    row({
      id: "waiting-for-topology",
      when: holds(`${what} is not named, the Cluster has a topology`, unnamed),
      ensure: nothing("the topology names it"),
      report: False("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
    }),
  ];
}
