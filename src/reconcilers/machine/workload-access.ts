import type { Machine } from "#api";
import type { Duration } from "#base";
import type { Index, KeySource } from "#control";
import { keyOf, namespacedName } from "#machinery";
import { type ClusterCache, createNodeWatch, type KnownMachines } from "#workload";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { WorkloadAccess } from "./ports.ts";

/** Files Machines under their Cluster. */
export const machinesByCluster: Index<Machine> = {
  name: "cluster-of-machine",
  valuesOf: (machine) => [namespacedName(clusterKeyOf(machine))],
};

/** How Machines look into workload clusters, and what wakes them from there. */
export interface MachineWakers {
  readonly access: WorkloadAccess;
  readonly sources: readonly KeySource[];
}

/** Joins Machines to the connections of their clusters. */
export function createMachineWakers({
  clusterCache,
  machines,
  gracePeriod,
}: {
  readonly clusterCache: ClusterCache;
  readonly machines: KnownMachines;
  /** After so long without a probe that succeeded, Machines say so. */
  readonly gracePeriod: Duration;
}): MachineWakers {
  machines.addIndex(machinesByCluster);
  const news = clusterCache.source({ name: "machine", probeFailures: [gracePeriod], sinceInitialized: true });
  const nodes = createNodeWatch({ cache: clusterCache, machines });
  return {
    access: {
      healthOf: (cluster) => clusterCache.healthOf(cluster),
      client: (cluster) => clusterCache.client(cluster),
      reader: (cluster) => clusterCache.reader(cluster),
      watchNodes: (cluster) => nodes.watch(cluster),
    },
    sources: [
      {
        name: "workload-connections",
        subscribe: (listener, options) =>
          news.subscribe((cluster) => {
            const indexed = { by: machinesByCluster, value: namespacedName(cluster) };
            for (const machine of machines.list({ indexed })) listener(keyOf(machine));
          }, options),
      },
      nodes.source,
    ],
  };
}
