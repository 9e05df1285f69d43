import { CapstanError } from "#base";

/** Objects below a Cluster that cannot be listed. */
export class DescendantsUnreadError extends CapstanError {
  readonly code = "DESCENDANTS_UNREADABLE";
}

/** The class of a Cluster that cannot be read. */
export class ClusterClassUnreadError extends CapstanError {
  readonly code = "CLUSTER_CLASS_UNREADABLE";
}

/** The authority of a workload cluster that cannot sign. */
export class ClusterAuthorityError extends CapstanError {
  readonly code = "CLUSTER_AUTHORITY_UNUSABLE";
}
