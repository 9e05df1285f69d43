import { CapstanError } from "#base";

/** A provider's object that was there when it was needed first, and is gone. */
export class ProviderObjectGoneError extends CapstanError {
  readonly code = "PROVIDER_OBJECT_GONE";
}

/** A provider's object, or its kind, that cannot be read. */
export class ProviderReadError extends CapstanError {
  readonly code = "PROVIDER_UNREADABLE";
}

/** Objects below a Cluster that cannot be listed. */
export class DescendantsUnreadError extends CapstanError {
  readonly code = "DESCENDANTS_UNREADABLE";
}

/** The authority of a workload cluster that cannot sign. */
export class ClusterAuthorityError extends CapstanError {
  readonly code = "CLUSTER_AUTHORITY_UNUSABLE";
}
