import type { Condition } from "./condition.ts";

/** Types in the order in which people want to read them; all that are not named stand between these and the last. */
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
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = byteRank(a.charCodeAt(index)) - byteRank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

// Halves of surrogate pairs stand for what lies beyond U+FFFF, and UTF-8 puts that behind everything else.
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function rankOf(type: string): number {
  return ranks.get(type) ?? first.length;
}
