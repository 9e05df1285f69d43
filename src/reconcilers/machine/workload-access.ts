import type { Machine } from "#api";
import type { Duration } from "#base";
import type { Index, KeySource, KindCache } from "#control";
import { keyOf, namespacedName, type ObjectKey } from "#machinery";
import { type ClusterCache, Node } from "#workload";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { WorkloadAccess } from "./ports.ts";

/** Files Machines under their Cluster, their Node and their provider id. */
export const machineIndexes = {
  cluster: indexOf("cluster-of-machine", (machine) => [namespacedName(clusterKeyOf(machine))]),
  node: indexOf("node-of-machine", ({ status }) => (status?.nodeRef === undefined ? [] : [status.nodeRef.name])),
  providerID: indexOf("provider-id-of-machine", ({ spec }) => (spec.providerID === undefined ? [] : [spec.providerID])),
} as const;

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
  readonly machines: Pick<KindCache<Machine>, "list" | "addIndex">;
  /** After so long without a probe that succeeded, Machines say so. */
  readonly gracePeriod: Duration;
}): MachineWakers {
  for (const index of Object.values(machineIndexes)) machines.addIndex(index);
  const news = clusterCache.source({ name: "machine", probeFailures: [gracePeriod] });
  const listeners = new Set<(machine: ObjectKey) => void>();
  return {
    access: {
      healthOf: (cluster) => clusterCache.healthOf(cluster),
      client: (cluster) => clusterCache.client(cluster),
      reader: (cluster) => clusterCache.reader(cluster),
      watchNodes: (cluster) =>
        clusterCache.watch(cluster, {
          name: "machine-watchNodes",
          kind: Node,
          onChange: ({ object }) => {
            for (const machine of machinesOfNode(machines, cluster, object))
              for (const listener of listeners) listener(machine);
          },
        }),
    },
    sources: [
      {
        name: "workload-connections",
        subscribe: (listener, options) =>
          news.subscribe((cluster) => {
            const indexed = { by: machineIndexes.cluster, value: namespacedName(cluster) };
            for (const machine of machines.list({ indexed })) listener(keyOf(machine));
          }, options),
      },
      {
        name: "workload-nodes",
        subscribe: (listener, { signal }) => {
          listeners.add(listener);
          signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
        },
      },
    ],
  };
}

/** The Machines behind a Node, by its name or by its provider id: one, unless somebody has made a mistake. */
export function machinesOfNode(
  machines: Pick<KindCache<Machine>, "list">,
  cluster: ObjectKey,
  node: Node,
): readonly ObjectKey[] {
  const { namespace = "", name } = cluster;
  // Nodes of different clusters may well have the same name.
  const candidates = (by: Index<Machine>, value: string) =>
    machines.list({ namespace, indexed: { by, value } }).filter(({ spec }) => spec.clusterName === name);
  const byName = candidates(machineIndexes.node, node.metadata.name ?? "");
  const providerID = node.spec?.providerID ?? "";
  const byProvider = providerID === "" ? [] : candidates(machineIndexes.providerID, providerID);
  return [...new Set([...byName, ...byProvider])].map(keyOf);
}

function indexOf(name: string, valuesOf: (machine: Machine) => readonly string[]): Index<Machine> {
  return { name, valuesOf };
}
