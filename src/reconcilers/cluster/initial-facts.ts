import type { Cluster } from "#api";
import { hasCondition, isTrue } from "#conditions";
import type { Given } from "#control";
import { keyOf } from "#machinery";
import type { ClusterFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";

/** What is known of a Cluster before anything else is looked at. */
export function initialFacts(cluster: Cluster, { now, ports }: Given<ClusterPorts>): ClusterFacts {
  const { metadata, spec, status } = cluster;
  return {
    now,
    cluster: {
      deleting: metadata.deletionTimestamp !== undefined,
      hasTopology: spec.topology !== undefined,
      infrastructureProvisioned: status?.initialization?.infrastructureProvisioned ?? false,
      controlPlaneInitialized: status?.initialization?.controlPlaneInitialized ?? false,
      initializedReported: isTrue(cluster, "ControlPlaneInitialized"),
    },
    clusterClass: { kind: "none" },
    connection: {
      ...ports.connectionTo(keyOf(cluster)),
      gracePeriod: ports.remoteConnectionGracePeriod,
      reported: hasCondition(cluster, "RemoteConnectionProbe"),
    },
    infrastructure: { kind: "unreferenced" },
    controlPlane: { kind: "unreferenced" },
    initialization: { kind: "none" },
    descendants: { kind: "failed", error: unlistedYet(cluster) },
    replicas: {},
    deletion: { kind: "not-deleting" },
  };
}

function unlistedYet(cluster: Cluster): string {
  return awaitsTopology(cluster)
    ? "the topology of the Cluster has not been generated yet"
    : "the objects below the Cluster have not been listed yet";
}

/** True while a topology has still to write the references: until then there is nothing to bring along. */
export function awaitsTopology({ metadata, spec }: Cluster): boolean {
  if (spec.topology === undefined || metadata.deletionTimestamp !== undefined) return false;
  return spec.controlPlaneRef === undefined || spec.infrastructureRef === undefined;
}
