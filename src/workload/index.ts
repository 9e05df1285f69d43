export { cachedNodes, type CachedKind } from "./cache/cached-kinds.ts";
export type { ClusterCacheObserver, Connect, ConnectOptions } from "./cache/cluster-accessor.ts";
export { type ClusterCache, type ClusterCacheOptions, createClusterCache } from "./cache/cluster-cache.ts";
export { type ClusterHealth, probeHealth, type ProbeOptions, type ProbeVerdict } from "./cache/cluster-health.ts";
export {
  type ClusterNews,
  type ClusterSource,
  type ClusterSourceOptions,
  type ClusterSources,
  createClusterSources,
  reasonsToTell,
} from "./cache/cluster-sources.ts";
export { type ConnectionLimits, type ConnectorOptions, createConnector, type OwnPod } from "./cache/connect.ts";
export { checkGracePeriods, type GracePeriods } from "./cache/grace-periods.ts";
export { soonest, timeLeft } from "./cache/pace.ts";
export { type ClusterCacheSettings, defaultSettings } from "./cache/settings.ts";
export type { WorkloadConnection, WorkloadWatch } from "./cache/workload-connection.ts";
export { type AttachedVolumes, attachedVolumes, volumesMessage, whyNotAwaited } from "./drain/attached-volumes.ts";
export { drainMessage } from "./drain/drain-message.ts";
export {
  drainNode,
  type DrainPorts,
  type DrainResult,
  drainRetryInterval,
  isUnreachable,
  whyNotDrained,
} from "./drain/drain-node.ts";
export type { DrainedMachine } from "./drain/drain-rules.ts";
export type { Evictions } from "./drain/evict-pods.ts";
export type { DrainReads } from "./drain/pods-on-node.ts";
export { Node, type NodeStatusCondition } from "./core-kinds.ts";
export {
  AmbiguousNodeError,
  ClusterNotConnectedError,
  DrainError,
  InvalidGracePeriodError,
  KubeconfigSecretError,
  NoMatchingNodeError,
  UnnamedWatchError,
  UnusableClusterError,
} from "./errors.ts";
export { findNode, nodesByProviderID } from "./nodes/find-node.ts";
export {
  createNodeWatch,
  type KnownMachines,
  machinesByNodeName,
  machinesByProviderID,
  machinesOfNode,
  type NodeWatch,
} from "./nodes/node-watch.ts";
export { lookUpNode, type NodeFinding, type NodeLookupOptions, nodeNameOf } from "./nodes/look-up-node.ts";
