import type { Duration, Timestamp } from "#base";
import type { Status } from "#conditions";
import type { ProviderLookup } from "#contract";
import type { AvailabilityGate } from "./available.ts";
import type { ReplicaCounts } from "./replicas.ts";

/** What one pass knows about a Cluster. Plain data; guards may read any of it at any time. */
export interface ClusterFacts {
  readonly now: Timestamp;
  readonly cluster: {
    readonly deleting: boolean;
    /** True where spec.topology is set: then another controller writes the references. */
    readonly hasTopology: boolean;
    readonly infrastructureProvisioned: boolean;
    readonly controlPlaneInitialized: boolean;
    /** True where the condition ControlPlaneInitialized is True already; it never goes back. */
    readonly initializedReported: boolean;
  };
  /** The ClusterClass that the topology names. */
  readonly clusterClass: ClassLookup;
  readonly connection: ConnectionFacts;
  readonly infrastructure: ProviderLookup;
  readonly controlPlane: ProviderLookup;
  /** Whether the control plane says that it is initialized; `none` where there is no such object to ask. */
  readonly initialization: Initialization;
  readonly descendants: DescendantFacts;
  /** How many machines there are; what could not be counted in this pass is absent. */
  readonly replicas: { readonly controlPlane?: ReplicaCounts; readonly workers?: ReplicaCounts };
  readonly deletion: DeletionFacts;
}

/** What a Cluster takes from its ClusterClass. */
export type ClassLookup =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly availabilityGates: readonly AvailabilityGate[] }
  | { readonly kind: "failed"; readonly error: string };

/** What is known about the connection to the workload cluster. */
export interface ConnectionFacts {
  readonly lastProbeSuccess?: Timestamp;
  readonly consecutiveFailures: number;
  /** How long a probe that succeeded stands for the connection. */
  readonly gracePeriod: Duration;
  /** True once RemoteConnectionProbe stands on the Cluster. */
  readonly reported: boolean;
}

/** Whether the control plane has answered for the first time. */
export type Initialization =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "done" }
  /** What it says is not what the contract says. */
  | { readonly kind: "unreadable"; readonly error: string }
  /** The contract that it follows could not be found out. */
  | { readonly kind: "unversioned"; readonly error: string };

/** What the objects below the Cluster say together, or why they could not be read. */
export type DescendantFacts =
  | { readonly kind: "failed"; readonly error: string }
  | {
      readonly kind: "listed";
      readonly rollingOut: Merged;
      readonly scalingUp: Merged;
      readonly scalingDown: Merged;
      readonly workersAvailable: Merged;
      readonly controlPlaneMachinesAvailable: Merged;
      readonly controlPlaneMachinesReady: Merged;
      readonly workerMachinesReady: Merged;
      readonly controlPlaneMachinesUpToDate: Merged;
      readonly workerMachinesUpToDate: Merged;
      readonly remediating: Merged;
      /** Names of Machines that failed their health check, in order. */
      readonly unhealthyMachines: readonly string[];
      readonly controlPlaneMachineHasNode: boolean;
      /** When the next Machine counts that has not said yet whether it is up to date. */
      readonly settlesAt?: Timestamp;
    };

/** What the same condition of many objects says together. */
export type Merged =
  | { readonly kind: "no-sources" }
  | { readonly kind: "merged"; readonly status: Status; readonly message: string }
  | { readonly kind: "failed"; readonly error: string };

/** How far the Cluster is on its way out. */
export type DeletionFacts =
  | { readonly kind: "not-deleting" }
  | { readonly kind: "waiting-for-hook"; readonly message: string }
  | { readonly kind: "waiting-for-workers"; readonly remaining: string }
  | { readonly kind: "waiting-for-control-plane"; readonly remaining: string }
  | { readonly kind: "waiting-for-infrastructure"; readonly remaining: string }
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly error: string };
