import type { FeatureGates } from "#api";
import type { Duration, Timestamp } from "#base";
import type { Client } from "#client";
import type { KeySource, Reader } from "#control";
import type { ObjectKey } from "#machinery";
import type { MachineUpdates } from "./machine-updates.ts";

/** What the reconciler of Machines needs from outside. */
export interface MachinePorts {
  readonly workload: WorkloadAccess;
  /** How long the last known status of a Node stands while its cluster cannot be reached. */
  readonly remoteConditionsGracePeriod: Duration;
  /** Labels and annotations of a Machine that go to its Node besides those that always do. */
  readonly syncedLabels: (key: string) => boolean;
  readonly syncedAnnotations: (key: string) => boolean;
  readonly features: FeatureGates;
  /** Has machines updated in place; absent where no extensions can be called. */
  readonly updates?: MachineUpdates;
  /** Tell of Machines whose Node changed, or whose cluster came, went, or has been silent for too long. */
  readonly sources: readonly KeySource[];
  /** How long a change that a Machine only repeats waits for others; not at all unless told. */
  readonly gathering?: Duration;
}

/** How a pass looks into the clusters that are managed; nothing of it waits for a connection. */
export interface WorkloadAccess {
  healthOf(cluster: ObjectKey): {
    readonly lastProbeSuccess?: Timestamp;
    readonly consecutiveFailures: number;
  };
  /** Throws a ClusterNotConnectedError where there is no connection. */
  client(cluster: ObjectKey): Client;
  /** What is kept in memory of the cluster; throws a ClusterNotConnectedError where there is no connection. */
  reader(cluster: ObjectKey): Reader;
  /** Sees to it that changes of Nodes wake Machines; throws a ClusterNotConnectedError where there is no connection. */
  watchNodes(cluster: ObjectKey): void;
}
