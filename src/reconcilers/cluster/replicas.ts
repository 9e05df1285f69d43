import { Cluster, type Machine } from "#api";
import { isTrue } from "#conditions";
import { ContractError, controlPlane as contract, type FieldAccessor } from "#contract";
import { isOwnedBy, type KubeObject } from "#machinery";
import { type Descendants, isControlPlane, isOfPool } from "./descendant-facts.ts";

/** How many machines there are, in each respect; what nobody counts is left out. */
export interface ReplicaCounts {
  readonly desiredReplicas?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly upToDateReplicas?: number;
}

const names = ["desiredReplicas", "replicas", "readyReplicas", "availableReplicas", "upToDateReplicas"] as const;

interface Counted {
  readonly spec?: { readonly replicas?: number };
  readonly status?: Omit<ReplicaCounts, "desiredReplicas">;
}

/** The machines of a control plane, as its object counts them. */
export function controlPlaneCounts(controlPlane: KubeObject, contractVersion: string): ReplicaCounts {
  const desiredReplicas = read(contract.replicas, controlPlane);
  return withoutAbsent({
    desiredReplicas,
    replicas: read(contract.statusReplicas, controlPlane),
    readyReplicas: read(contract.readyReplicas, controlPlane),
    availableReplicas:
      contractVersion === "v1beta1"
        ? difference(desiredReplicas, read(contract.unavailableReplicas, controlPlane))
        : read(contract.availableReplicas, controlPlane),
    upToDateReplicas: read(contract.upToDateReplicas.in(contractVersion), controlPlane),
  });
}

/** The control plane Machines of a Cluster that has no object for them. */
export function controlPlaneMachineCounts(machines: readonly Machine[]): ReplicaCounts {
  return sum(machines.filter(isControlPlane).map(countOfMachine));
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
  const totals = names.flatMap((name) => {
    const known = counts.map((each) => each[name]).filter((count) => count !== undefined);
    return known.length === 0 ? [] : [[name, known.reduce((a, b) => a + b, 0)] as const];
  });
  return Object.fromEntries(totals);
}

/** Contract v1beta1 counts those that are missing; more of them than there are to be is none available. */
function difference(all: number | undefined, missing: number | undefined): number | undefined {
  return all === undefined || missing === undefined ? undefined : Math.max(0, all - missing);
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
