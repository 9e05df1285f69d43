import { Cluster, labels, type Machine, type MachineDeployment, type MachinePool, type MachineSet } from "#api";
import { after, between, milliseconds, seconds, type Timestamp } from "#base";
import {
  type ConditionSource,
  compareText,
  hasCondition,
  isFalse,
  MalformedConditionsError,
  readConditions,
  sourceOf,
} from "#conditions";
import { isOwnedBy, type KubeObject } from "#machinery";
import type { DescendantFacts } from "./facts.ts";
import { mergeSources } from "./merged.ts";

/** The objects below a Cluster, in the order in which they are named where they say the same. */
export interface Descendants {
  readonly machineDeployments: readonly MachineDeployment[];
  readonly machineSets: readonly MachineSet[];
  readonly machinePools: readonly MachinePool[];
  readonly machines: readonly Machine[];
}

/** What else has a say in the facts about descendants. */
export interface DescendantOptions {
  readonly now: Timestamp;
  /** The control plane object, where there is one and it could be read. */
  readonly controlPlane?: KubeObject;
  /** False leaves MachinePools out of RollingOut: upstream's never report it (decision D3). */
  readonly machinePoolsRollOut: boolean;
}

/** New Machines need a moment until somebody says whether they are up to date. */
const upToDateDelay = seconds(10);

/** What the objects below a Cluster say together. */
export function descendantFacts(
  cluster: Cluster,
  descendants: Descendants,
  { now, controlPlane, machinePoolsRollOut }: DescendantOptions,
): DescendantFacts {
  const { machineDeployments, machineSets, machinePools, machines } = descendants;
  const controlPlaneMachines = machines.filter(isControlPlane);
  const workers = machines.filter((machine) => !isControlPlane(machine) && !isOfPool(machine));
  const ofNoPool = machines.filter((machine) => !isOfPool(machine));
  const deployments = machineDeployments.map((object) => sourceOf(object));
  const pools = machinePoolsRollOut ? machinePools.map((object) => sourceOf(object)) : [];
  const standAloneSets = machineSets
    .filter((set) => isOwnedBy(set, cluster, Cluster))
    .map((object) => sourceOf(object));
  const scaling = (type: string) => [...reporting(controlPlane, type), ...deployments, ...standAloneSets];
  const upToDate = (machine: Machine) => hasCondition(machine, "UpToDate") || isSettled(machine, now);
  const [settlesAt] = ofNoPool
    .filter((machine) => !upToDate(machine))
    .map((machine) => settlingOf(machine, now))
    .toSorted(compareText);
  return {
    kind: "listed",
    rollingOut: mergeSources([...reporting(controlPlane, "RollingOut"), ...pools, ...deployments], "RollingOut", {
      negative: true,
    }),
    scalingUp: mergeSources(scaling("ScalingUp"), "ScalingUp", { negative: true }),
    scalingDown: mergeSources(scaling("ScalingDown"), "ScalingDown", { negative: true }),
    workersAvailable: mergeSources(deployments, "Available"),
    controlPlaneMachinesAvailable: merge(controlPlaneMachines, "Available"),
    controlPlaneMachinesReady: merge(controlPlaneMachines, "Ready"),
    workerMachinesReady: merge(workers, "Ready"),
    controlPlaneMachinesUpToDate: merge(controlPlaneMachines.filter(upToDate), "UpToDate"),
    workerMachinesUpToDate: merge(workers.filter(upToDate), "UpToDate"),
    remediating: merge(ofNoPool.filter(isToBeRemediated), "OwnerRemediated"),
    unhealthyMachines: ofNoPool
      .filter(isUnhealthy)
      .map(({ metadata }) => metadata.name ?? "")
      .toSorted(compareText),
    controlPlaneMachineHasNode: controlPlaneMachines.some(({ status }) => (status?.nodeRef?.name ?? "") !== ""),
    ...(settlesAt === undefined ? {} : { settlesAt }),
  };
}

/** True for a Machine of the control plane. */
export function isControlPlane({ metadata }: Machine): boolean {
  return Object.hasOwn(metadata.labels ?? {}, labels.controlPlane);
}

/** True for a Machine that a MachinePool made: such Machines do not say whether they are up to date. */
export function isOfPool({ metadata }: Machine): boolean {
  return Object.hasOwn(metadata.labels ?? {}, labels.poolName);
}

function isUnhealthy(machine: Machine): boolean {
  return isFalse(machine, "HealthCheckSucceeded");
}

function isToBeRemediated(machine: Machine): boolean {
  return isUnhealthy(machine) && isFalse(machine, "OwnerRemediated");
}

function isSettled(machine: Machine, now: Timestamp): boolean {
  return between(createdAt(machine, now), now) > upToDateDelay;
}

/** The first second in which a Machine is old enough. */
function settlingOf(machine: Machine, now: Timestamp): Timestamp {
  return after(createdAt(machine, now), milliseconds(upToDateDelay + seconds(1)));
}

function createdAt({ metadata }: Machine, now: Timestamp): Timestamp {
  return metadata.creationTimestamp ?? now;
}

function merge(machines: readonly Machine[], type: string) {
  return mergeSources(
    machines.map((machine) => sourceOf(machine)),
    type,
  );
}

/** The control plane is a source only where it reports the condition: no contract asks for it. */
function reporting(controlPlane: KubeObject | undefined, type: string): readonly ConditionSource[] {
  if (controlPlane === undefined) return [];
  try {
    const conditions = readConditions(controlPlane);
    return conditions.some((condition) => condition.type === type) ? [sourceOf(controlPlane, conditions)] : [];
  } catch (error) {
    if (!(error instanceof MalformedConditionsError)) throw error;
    return [];
  }
}
