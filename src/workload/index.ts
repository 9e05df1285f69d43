export { type ClusterHealth, probeHealth, type ProbeOptions, type ProbeVerdict } from "./cache/cluster-health.ts";
export {
  type ClusterNews,
  type ClusterSource,
  type ClusterSourceOptions,
  type ClusterSources,
  createClusterSources,
  reasonsToTell,
} from "./cache/cluster-sources.ts";
export { soonest, timeLeft } from "./cache/pace.ts";
export { Node, type NodeStatusCondition } from "./core-kinds.ts";
export {
  AmbiguousNodeError,
  ClusterNotConnectedError,
  DrainError,
  KubeconfigSecretError,
  NoMatchingNodeError,
  UnnamedWatchError,
  UnusableClusterError,
} from "./errors.ts";
export { findNode, nodesByProviderID } from "./nodes/find-node.ts";
export { lookUpNode, type NodeFinding, type NodeLookupOptions, nodeNameOf } from "./nodes/look-up-node.ts";
