import type { Machine } from "#api";
import type { Index, KeySource, KindCache } from "#control";
import { keyOf, type ObjectKey } from "#machinery";
import type { ClusterCache } from "../cache/cluster-cache.ts";
import { Node } from "../core-kinds.ts";

/** Wakes Machines when their Nodes change. */
export interface NodeWatch {
  /** Tells of the Machines whose Nodes have changed. */
  readonly source: KeySource;
  /** Watches the Nodes of a cluster as long as it is connected; asked in every pass, because connections come and go. */
  watch(cluster: ObjectKey): void;
}

/** The Machines of the management cluster, as they are kept in memory. */
export type KnownMachines = Pick<KindCache<Machine>, "list" | "addIndex">;

/** Files Machines under the Node that they have become. */
export const machinesByNodeName: Index<Machine> = {
  name: "status.nodeRef.name",
  valuesOf: ({ status }) => filled(status?.nodeRef?.name),
};

/** Files Machines under what their infrastructure calls them. */
export const machinesByProviderID: Index<Machine> = {
  name: "spec.providerID",
  valuesOf: ({ spec }) => filled(spec.providerID),
};

const watchName = "machine-watchNodes";

/** Makes a watch over the Nodes of all clusters. */
export function createNodeWatch({
  cache,
  machines,
}: {
  readonly cache: Pick<ClusterCache, "watch">;
  readonly machines: KnownMachines;
}): NodeWatch {
  machines.addIndex(machinesByNodeName);
  machines.addIndex(machinesByProviderID);
  const listeners = new Set<(machine: ObjectKey) => void>();
  return {
    source: {
      name: watchName,
      subscribe(listener, { signal }) {
        if (signal.aborted) return;
        listeners.add(listener);
        signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
      },
    },
    watch: (cluster) =>
      cache.watch(cluster, {
        name: watchName,
        kind: Node,
        onChange: ({ object }) => {
          for (const machine of machinesOfNode(object, cluster, machines)) {
            for (const listener of listeners) listener(machine);
          }
        },
      }),
  };
}

/** The Machines of its cluster that a Node belongs to, by name or provider id: one, unless somebody made a mistake. */
export function machinesOfNode(
  node: Node,
  cluster: ObjectKey,
  machines: Pick<KnownMachines, "list">,
): readonly ObjectKey[] {
  // Nodes of different clusters may well have the same name.
  const ofCluster = (by: Index<Machine>, value: string) =>
    machines
      .list({ namespace: cluster.namespace ?? "", indexed: { by, value } })
      .filter(({ spec }) => spec.clusterName === cluster.name);
  const byName = ofCluster(machinesByNodeName, node.metadata.name ?? "");
  const providerID = node.spec?.providerID ?? "";
  const byProviderID = providerID === "" ? [] : ofCluster(machinesByProviderID, providerID);
  return [...new Set([...byName, ...byProviderID])].map(keyOf);
}

function filled(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [text];
}
