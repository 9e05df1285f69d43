import { CapstanError } from "#base";

/** There is no connection to a workload cluster at the moment; it is being made in the background, or made again. */
export class ClusterNotConnectedError extends CapstanError {
  readonly code = "CLUSTER_NOT_CONNECTED";
  override readonly passing = true;

  constructor() {
    super("connection to the workload cluster is down");
  }
}

/** A Cluster without a kubeconfig that can be used: the Secret is missing, or what is in it is wrong. */
export class KubeconfigSecretError extends CapstanError {
  readonly code = "KUBECONFIG_SECRET_UNUSABLE";
}

/** A workload cluster that answers, but not as a Kubernetes API server does. */
export class UnusableClusterError extends CapstanError {
  readonly code = "WORKLOAD_CLUSTER_UNUSABLE";
}

/** Periods after which a cluster that is only slow would be taken for one that is gone. */
export class InvalidGracePeriodError extends CapstanError {
  readonly code = "INVALID_GRACE_PERIOD";
}

/** A watch on a workload cluster without a name to know it by. */
export class UnnamedWatchError extends CapstanError {
  readonly code = "UNNAMED_WATCH";
}

/** Several Nodes say that they run on the same machine. */
export class AmbiguousNodeError extends CapstanError {
  readonly code = "AMBIGUOUS_NODE";
}

/** The Node of a Machine is not there any more, or not under its provider id. */
export class NoMatchingNodeError extends CapstanError {
  readonly code = "NO_MATCHING_NODE";
  // Its Machine says so in its conditions, for as long as it lasts.
  override readonly passing = true;
}

/** A Node that cannot be drained as things are: a MachineDrainRule, a Pod or a volume says something impossible. */
export class DrainError extends CapstanError {
  readonly code = "DRAIN_IMPOSSIBLE";
}
