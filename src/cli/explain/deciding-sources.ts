import { Cluster, labels, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { compareText } from "#conditions";
import { type ContractVersionedObjectReference, readProvider } from "#contract";
import { isOwnedBy, type KubeObject } from "#machinery";
import type { Situation } from "./situation.ts";

/** A condition that another condition is made of. */
export interface Source {
  readonly object: KubeObject;
  readonly type: string;
  /** True where True is the bad news. */
  readonly negative: boolean;
}

type Reading = Pick<Situation, "reader" | "signal" | "judges">;

/** A condition of an object, and the row that decided on it, where a table did. */
export interface DecidedCondition {
  readonly object: KubeObject;
  readonly type: string;
  readonly row: string | undefined;
}

/** The conditions that a condition is made of, whether they stand on the same object or on others; none for a leaf. */
export async function sourcesOf({ object, type, row }: DecidedCondition, reading: Reading): Promise<readonly Source[]> {
  const summedUp = ownSources(object, type, reading);
  if (summedUp.length > 0) return summedUp;
  if (Machine.is(object)) {
    const waited = await ofCluster(object, waitsFor(type, row), reading);
    return waited.length > 0 ? waited : await sourcesOfMachine(object, type, reading);
  }
  return Cluster.is(object) ? await sourcesOfCluster(object, type, reading) : [];
}

/** The types of the same object that count for a condition, also by way of others. */
export function countedFor(object: KubeObject, type: string, reading: Pick<Situation, "judges">): readonly string[] {
  const types = ownSources(object, type, reading).map((source) => source.type);
  return [...new Set(types.flatMap((one) => [one, ...countedFor(object, one, reading)]))];
}

/** The conditions of the same object that a condition sums up. */
function ownSources(object: KubeObject, type: string, { judges = [] }: Pick<Situation, "judges">): readonly Source[] {
  if (Machine.is(object)) return summedUpByMachine(object, type);
  if (Cluster.is(object)) return type === "Available" ? summedUpByCluster(object) : [];
  return own(object, judges.find((judge) => judge.isOf(object))?.sums(type) ?? []);
}

interface Gate {
  readonly conditionType: string;
  readonly polarity?: "Positive" | "Negative";
}

function summedUpByMachine(object: Machine, type: string): readonly Source[] {
  if (type === "Available") return own(object, ["Ready"]);
  if (type !== "Ready") return [];
  return [
    ...own(object, ["Deleting", "Updating"], { negative: true }),
    ...own(object, ["BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "HealthCheckSucceeded"]),
    ...gated(object, object.spec.readinessGates ?? []),
  ];
}

function summedUpByCluster(object: Cluster): readonly Source[] {
  const { topology, availabilityGates = [] } = object.spec;
  return [
    ...own(object, ["Deleting"], { negative: true }),
    ...own(object, [...answering, "ControlPlaneAvailable", "WorkersAvailable"]),
    ...(topology === undefined ? [] : own(object, ["TopologyReconciled"])),
    ...gated(object, availabilityGates),
  ];
}

async function sourcesOfMachine(object: Machine, type: string, reading: Reading): Promise<readonly Source[]> {
  const { spec } = object;
  switch (type) {
    case "InfrastructureReady":
      return await ofProvider(object, spec.infrastructureRef, "Ready", reading);
    case "BootstrapConfigReady":
      return await ofProvider(object, spec.bootstrap.configRef, "Ready", reading);
    default:
      return [];
  }
}

/** Why a cluster does not answer: what is wrong with it stands before what follows from that. */
export const answering = ["InfrastructureReady", "RemoteConnectionProbe"];

/** What a Machine waits for in its Cluster before its Node can be seen, by the row that says so. */
const awaited: Readonly<Record<string, readonly string[]>> = {
  "waiting-for-infrastructure": ["InfrastructureReady"],
  "waiting-for-control-plane": ["ControlPlaneInitialized"],
  "never-connected": answering,
  "connection-lost": answering,
  disconnected: answering,
};

/** Whether a row says by itself that the Cluster is waited for. */
export function isWaiting(type: string, row: string | undefined): boolean {
  return waitsFor(type, row).length > 0;
}

function waitsFor(type: string, row = ""): readonly string[] {
  return type === "NodeReady" || type === "NodeHealthy" ? (awaited[row] ?? []) : [];
}

async function ofCluster(
  { metadata, spec }: Machine,
  types: readonly string[],
  { reader, signal }: Reading,
): Promise<readonly Source[]> {
  if (types.length === 0) return [];
  const cluster = await reader.find(
    Cluster,
    { namespace: metadata.namespace ?? "", name: spec.clusterName },
    { signal },
  );
  return cluster === undefined ? [] : own(cluster, types);
}

async function sourcesOfCluster(object: Cluster, type: string, reading: Reading): Promise<readonly Source[]> {
  const { spec } = object;
  const machinesOf = async (part: "control-plane" | "workers", of: string) =>
    (await below(object, Machine, reading))
      .filter(({ metadata }) => labels.controlPlane in (metadata.labels ?? {}) === (part === "control-plane"))
      .flatMap((machine) => own(machine, [of]));
  switch (type) {
    case "InfrastructureReady":
      return await ofProvider(object, spec.infrastructureRef, "Ready", reading);
    case "ControlPlaneAvailable":
      if (spec.controlPlaneRef !== undefined)
        return await ofProvider(object, spec.controlPlaneRef, "Available", reading);
      return spec.topology === undefined ? await machinesOf("control-plane", "Available") : [];
    case "WorkersAvailable":
      return (await below(object, MachineDeployment, reading)).flatMap((one) => own(one, ["Available"]));
    case "ControlPlaneMachinesReady":
      return await machinesOf("control-plane", "Ready");
    case "WorkerMachinesReady":
      return await machinesOf("workers", "Ready");
    case "ControlPlaneMachinesUpToDate":
      return await machinesOf("control-plane", "UpToDate");
    case "WorkerMachinesUpToDate":
      return await machinesOf("workers", "UpToDate");
    case "RollingOut":
    case "ScalingUp":
    case "ScalingDown":
      return await progressSources(object, type, reading);
    default:
      return [];
  }
}

/** What reports that something is going on: the control plane where it does, and every group of workers. */
async function progressSources(object: Cluster, type: string, reading: Reading): Promise<readonly Source[]> {
  const negative = { negative: true };
  const deployments = await below(object, MachineDeployment, reading);
  const others =
    type === "RollingOut"
      ? await below(object, MachinePool, reading)
      : (await below(object, MachineSet, reading)).filter((set) => isOwnedBy(set, object, Cluster));
  return [
    ...(await ofProvider(object, object.spec.controlPlaneRef, type, reading)).map((source) => ({
      ...source,
      ...negative,
    })),
    ...[...others, ...deployments].flatMap((one) => own(one, [type], negative)),
  ];
}

function own(
  object: KubeObject,
  types: readonly string[],
  { negative = false }: { readonly negative?: boolean } = {},
): readonly Source[] {
  return types.map((type) => ({ object, type, negative }));
}

function gated(object: KubeObject, gates: readonly Gate[]): readonly Source[] {
  return gates.map(({ conditionType: type, polarity }) => ({ object, type, negative: polarity === "Negative" }));
}

async function ofProvider(
  { metadata }: KubeObject,
  ref: Partial<ContractVersionedObjectReference> | undefined,
  type: string,
  { reader, signal }: Reading,
): Promise<readonly Source[]> {
  const read = await readProvider(reader, ref, { namespace: metadata.namespace ?? "", signal });
  return read?.kind === "found" ? own(read.object, [type]) : [];
}

async function below<Obj extends KubeObject>(
  { metadata }: Cluster,
  kind: Parameters<Situation["reader"]["list"]>[0] & { is(object: KubeObject): object is Obj },
  { reader, signal }: Reading,
): Promise<readonly Obj[]> {
  const { namespace = "", name = "" } = metadata;
  const found = await reader.list(kind, { namespace, labelSelector: `${labels.clusterName}=${name}`, signal });
  return found
    .filter((object): object is Obj => kind.is(object))
    .toSorted((a, b) => compareText(a.metadata.name ?? "", b.metadata.name ?? ""));
}
