import { Cluster, type Machine } from "#api";
import { isTrue } from "#conditions";
import { controlPlane as contract, type FieldAccessor } from "#contract";
import { ContractError } from "#contract";
import { isOwnedBy, type KubeObject } from "#machinery";
import { type Descendants, isControlPlane, isOfPool } from "./descendant-facts.ts";

/** How many machines there are, in each respect; what nobody counts is left out. */
export interface ReplicaCounts {
  desiredReplicas?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  upToDateReplicas?: number;
}

interface Counted {
  readonly spec?: { readonly replicas?: number };
  readonly status?: Omit<ReplicaCounts, "desiredReplicas">;
}

/** The machines of the control plane, as its object counts them; without such an object, the Machines themselves. */
export function controlPlaneCounts(
  { spec }: Cluster,
  { controlPlane, machines }: { readonly controlPlane: KubeObject | undefined; readonly machines: readonly Machine[] },
): ReplicaCounts {
  if (spec?.controlPlaneRef === undefined && spec?.topology === undefined)
    return sum(machines.filter(isControlPlane).map(countOfMachine));
  if (controlPlane === undefined) return {};
  return withoutAbsent({
    desiredReplicas: read(contract.replicas, controlPlane),
    replicas: read(contract.statusReplicas, controlPlane),
    readyReplicas: read(contract.readyReplicas, controlPlane),
    availableReplicas: read(contract.availableReplicas, controlPlane),
    upToDateReplicas: read(contract.upToDateReplicas, controlPlane),
  });
}

/** The machines of the workers: those of MachineDeployments, and of MachineSets and Machines that stand alone. */
export function workerCounts(
  cluster: Cluster,
  { machineDeployments, machineSets, machines }: Descendants,
): ReplicaCounts {
  const standsAlone = (object: KubeObject) => isOwnedBy(object, cluster, Cluster);
  const alone = machines.filter((machine) => !isControlPlane(machine) && !isOfPool(machine) && standsAlone(machine));
  return sum([
    ...machineDeployments.map(countOfSet),
    ...machineSets.filter(standsAlone).map(countOfSet),
    ...alone.map(countOfMachine),
  ]);
}

function countOfSet({ spec, status }: Counted): ReplicaCounts {
  return withoutAbsent({
    desiredReplicas: spec?.replicas,
    replicas: status?.replicas,
    readyReplicas: status?.readyReplicas,
    availableReplicas: status?.availableReplicas,
    upToDateReplicas: status?.upToDateReplicas,
  });
}

/** Whoever made a Machine by hand wants one. */
function countOfMachine(machine: Machine): ReplicaCounts {
  return {
    desiredReplicas: 1,
    replicas: 1,
    ...(isTrue(machine, "Ready") ? { readyReplicas: 1 } : {}),
    ...(isTrue(machine, "Available") ? { availableReplicas: 1 } : {}),
    ...(isTrue(machine, "UpToDate") ? { upToDateReplicas: 1 } : {}),
  };
}

/** A count that nobody has stays absent. */
function sum(counts: readonly ReplicaCounts[]): ReplicaCounts {
  const total: ReplicaCounts = {};
  for (const name of [
    "desiredReplicas",
    "replicas",
    "readyReplicas",
    "availableReplicas",
    "upToDateReplicas",
  ] as const) {
    const known = counts.map((each) => each[name]).filter((count) => count !== undefined);
    if (known.length > 0) total[name] = known.reduce((a, b) => a + b, 0);
  }
  return total;
}

/** What a provider does not count, or counts in another way than the contract says, is left out. */
function read(accessor: FieldAccessor<number>, object: KubeObject): number | undefined {
  try {
    return accessor.get(object);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return undefined;
  }
}

function withoutAbsent(counts: { readonly [Name in keyof ReplicaCounts]: number | undefined }): ReplicaCounts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
