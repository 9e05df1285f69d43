import { labels, Machine } from "#api";
import type { Logger } from "#base";
import type { Index, KeySource, Reader } from "#control";
import { fieldAt, keyOf, type ObjectKey } from "#machinery";
import type { ClusterCache } from "../cache/cluster-cache.ts";
import { Node } from "../core-kinds.ts";

/** Wakes Machines when their Nodes change. */
export interface NodeWatch {
  /** Tells of the Machines whose Nodes have changed. */
  readonly source: KeySource;
  /** Watches the Nodes of a cluster as long as it is connected; asked in every pass, because connections come and go. */
  watch(cluster: ObjectKey): void;
}

/** Files Machines under the Node that they have become. */
export const machinesByNodeName: Index = { name: "status.nodeRef.name", valuesOf: textAt("status", "nodeRef", "name") };

/** Files Machines under what their infrastructure calls them. */
export const machinesByProviderID: Index = { name: "spec.providerID", valuesOf: textAt("spec", "providerID") };

const watchName = "machine-watchNodes";

/** Makes a watch over the Nodes of all clusters. */
export function createNodeWatch({
  cache,
  machines,
  log,
}: {
  readonly cache: Pick<ClusterCache, "watch">;
  /** Reads Machines. */
  readonly machines: Reader;
  readonly log: Logger;
}): NodeWatch {
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
      cache.watch(cluster, { name: watchName, kind: Node, onChange: ({ object }) => void wake(object, cluster) }),
  };

  async function wake(node: Node, cluster: ObjectKey): Promise<void> {
    try {
      const machine = await machineOfNode(node, cluster, machines);
      if (machine !== undefined) for (const listener of listeners) listener(machine);
    } catch (error) {
      log.error("looking for the Machine of a Node failed", error, { node: node.metadata.name, cluster: cluster.name });
    }
  }
}

/** The Machine of its cluster that a Node belongs to; none where that is not clear. */
export async function machineOfNode(node: Node, cluster: ObjectKey, machines: Reader): Promise<ObjectKey | undefined> {
  const { namespace = "", name } = cluster;
  const ofCluster = { namespace, labelSelector: `${labels.clusterName}=${name}` };
  const named = { by: machinesByNodeName, value: node.metadata.name ?? "" };
  const [byName, ...others] = await machines.list(Machine, { ...ofCluster, indexed: named });
  if (byName !== undefined && others.length === 0) return keyOf(byName);
  // The Machine may not know its Node yet.
  const providerID = node.spec?.providerID ?? "";
  if (providerID === "") return undefined;
  const provided = { by: machinesByProviderID, value: providerID };
  const [byID, ...rest] = await machines.list(Machine, { ...ofCluster, indexed: provided });
  return byID !== undefined && rest.length === 0 ? keyOf(byID) : undefined;
}

function textAt(...path: readonly string[]): Index["valuesOf"] {
  return (object) => {
    const value = fieldAt(object, ...path);
    return typeof value === "string" && value !== "" ? [value] : [];
  };
}
