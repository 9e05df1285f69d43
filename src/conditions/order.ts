import type { Condition } from "./condition.ts";

/** Types in the order in which people want to read them; all others stand between the last two and the rest. */
const first = [
  "Available",
  "Ready",
  "UpToDate",
  "RemoteConnectionProbe",
  "BootstrapConfigReady",
  "InfrastructureReady",
  "ControlPlaneInitialized",
  "ControlPlaneAvailable",
  "WorkersAvailable",
  "CertificatesAvailable",
  "Initialized",
  "EtcdClusterHealthy",
  "ControlPlaneComponentsHealthy",
  "NodeHealthy",
  "NodeReady",
  "NodeKubeadmLabelsAndTaintsSet",
  "EtcdPodHealthy",
  "EtcdMemberHealthy",
  "APIServerPodHealthy",
  "ControllerManagerPodHealthy",
  "SchedulerPodHealthy",
  "HealthCheckSucceeded",
  "OwnerRemediated",
  "TopologyReconciled",
  "Updating",
  "RollingOut",
  "Remediating",
  "ScalingDown",
  "ScalingUp",
  "MachinesReady",
  "ControlPlaneMachinesReady",
  "WorkerMachinesReady",
  "MachinesUpToDate",
  "ControlPlaneMachinesUpToDate",
  "WorkerMachinesUpToDate",
];

const last = ["Paused", "Deleting"];

const ranks: ReadonlyMap<string, number> = new Map([
  ...first.map((type, rank) => [type, rank] as const),
  ...last.map((type, rank) => [type, first.length + 1 + rank] as const),
]);

/** Conditions in the order in which they stand on objects; those of one type keep their order. */
export function sortConditions(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => compareTypes(a.type, b.type));
}

/** Orders types by rank, and types of the same rank byte by byte. */
export function compareTypes(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || compareText(a, b);
}

/** Orders texts byte by byte, as Go does. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // UTF-16 and UTF-8 order differ only where surrogates are in play.
  if (/[\ud800-\udfff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

function rankOf(type: string): number {
  return ranks.get(type) ?? first.length;
}
