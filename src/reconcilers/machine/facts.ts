import type { Duration, Timestamp } from "#base";
import type { Status } from "#conditions";

/** What one pass knows about the Node behind a Machine. Plain data; guards may read any of it at any time. */
export interface NodeFacts {
  readonly now: Timestamp;
  /** How long the last known status stands when the workload cluster cannot be reached. */
  readonly gracePeriod: Duration;
  readonly cluster: {
    readonly infrastructureProvisioned: boolean;
    readonly controlPlaneInitialized: ControlPlaneInitialized;
  };
  readonly connection: {
    readonly lastProbeSuccess?: Timestamp;
    readonly consecutiveFailures: number;
  };
  readonly machine: {
    readonly deleting: boolean;
    readonly nodeName?: string;
    readonly providerID?: string;
    readonly infrastructureKind: string;
    /** True once NodeReady and NodeHealthy both stand on the Machine. */
    readonly nodeConditionsReported: boolean;
  };
  readonly node: NodeLookup;
}

/** The Cluster's condition of that name; `since` is absent where it does not say. (A bare yes or no is no text in YAML.) */
export type ControlPlaneInitialized =
  | { readonly kind: "pending" }
  | { readonly kind: "done"; readonly since?: Timestamp };

export type NodeLookup =
  | { readonly kind: "found"; readonly conditions: readonly NodeCondition[] }
  | { readonly kind: "absent" }
  | { readonly kind: "not-connected" }
  | { readonly kind: "failed"; readonly error: string };

/** What a kubelet says of its Node. */
export interface NodeCondition {
  readonly type: string;
  readonly status: Status;
  readonly message: string;
  readonly since?: Timestamp;
}
