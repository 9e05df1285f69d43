import type { FeatureGates } from "#api";
import type { Duration, Timestamp } from "#base";
import type { KeySource } from "#control";
import type { ObjectKey } from "#machinery";

/** What the reconciler of Clusters needs from outside. */
export interface ClusterPorts {
  /** What is known about the connection to the API server of a Cluster; answers at once. */
  readonly connectionTo: (cluster: ObjectKey) => ConnectionHealth;
  /** How long a probe that succeeded stands for the connection. */
  readonly remoteConnectionGracePeriod: Duration;
  /** False leaves MachinePools out of RollingOut (decision D3). */
  readonly machinePoolsRollOut: boolean;
  readonly features: FeatureGates;
  /** Tell of Clusters whose connection came, went, or has been silent for too long. */
  readonly sources: readonly KeySource[];
  /** How long a change that a Cluster only sums up or repeats waits for others; not at all unless told. */
  readonly gathering?: Duration;
}

/** How the last probes of a workload cluster went. */
export interface ConnectionHealth {
  readonly lastProbeSuccess?: Timestamp;
  readonly consecutiveFailures: number;
}
