import type { Cluster, ClusterClass, ClusterClassVariable, FeatureGates } from "#api";
import type { FieldError, FieldPath, ObjectKey } from "#machinery";

/** What webhooks may ask about the rest of the world. */
export interface Lookups {
  readonly gates: FeatureGates;
  /** Undefined where there is no such class; may wait a moment for one that is just being reconciled. */
  readonly clusterClass: (key: ObjectKey) => Promise<ClusterClass | undefined>;
  /** The Clusters of all namespaces whose topology refers to the class. */
  readonly clustersUsing: (key: ObjectKey) => Promise<readonly Cluster[]>;
  /** Why the version of a Cluster cannot be changed now: what does not yet have the version that it has. */
  readonly upgradeBlockers: (cluster: Cluster) => Promise<readonly string[]>;
  readonly variables: VariableRules;
}

/** How variables of ClusterClasses are checked and filled in. */
export interface VariableRules {
  /** What is wrong with the definitions of variables. */
  readonly validateDefinitions: (
    old: readonly ClusterClassVariable[],
    definitions: readonly ClusterClassVariable[],
    at: FieldPath,
  ) => readonly FieldError[];
  /** The Cluster with the defaults of its class, and what is wrong with its variables then. */
  readonly fillIn: (
    old: Cluster | undefined,
    cluster: Cluster,
    clusterClass: ClusterClass,
  ) => { readonly cluster: Cluster; readonly errors: readonly FieldError[] };
}
