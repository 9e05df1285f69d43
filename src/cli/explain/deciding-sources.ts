import { Cluster, labels, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { compareText } from "#conditions";
import { type ContractVersionedObjectReference, readProvider } from "#contract";
import { describeKey, isOwnedBy, type KubeObject } from "#machinery";
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
  if (Machine.is(object)) {
    const waited = await ofCluster(object, waitsFor(type, row), reading);
    return waited.length > 0 ? waited : await sourcesOfMachine(object, type, reading);
  }
  if (Cluster.is(object)) return await sourcesOfCluster(object, type, reading);
  return own(object, reading.judges?.find((judge) => judge.isOf(object))?.sums(type) ?? []);
}

/** The object of a provider that a condition mirrors, by its name: `DevMachine default/worker`. */
export function referenceOf(object: KubeObject, type: string): string | undefined {
  const ref = referenceIn(object, type);
  if (ref?.kind === undefined) return undefined;
  return `${ref.kind} ${describeKey({ namespace: object.metadata.namespace ?? "", name: ref.name ?? "" })}`;
}

function referenceIn(object: KubeObject, type: string): Partial<ContractVersionedObjectReference> | undefined {
  if (Machine.is(object)) {
    if (type === "InfrastructureReady") return object.spec.infrastructureRef;
    return type === "BootstrapConfigReady" ? object.spec.bootstrap.configRef : undefined;
  }
  if (!Cluster.is(object)) return undefined;
  if (type === "InfrastructureReady") return object.spec.infrastructureRef;
  return type === "ControlPlaneAvailable" || type === "ControlPlaneInitialized"
    ? object.spec.controlPlaneRef
    : undefined;
}

interface Gate {
  readonly conditionType: string;
  readonly polarity?: "Positive" | "Negative";
}

async function sourcesOfMachine(object: Machine, type: string, reading: Reading): Promise<readonly Source[]> {
  const { spec } = object;
  switch (type) {
    case "Available":
      return own(object, ["Ready"]);
    case "Ready":
      return [
        ...own(object, ["Deleting", "Updating"], { negative: true }),
        ...own(object, ["BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "HealthCheckSucceeded"]),
        ...gated(object, spec.readinessGates ?? []),
      ];
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
    case "Available":
      return [
        ...own(object, ["Deleting"], { negative: true }),
        ...own(object, [...answering, "ControlPlaneAvailable", "WorkersAvailable"]),
        ...(spec.topology === undefined ? [] : own(object, ["TopologyReconciled"])),
        ...gated(object, spec.availabilityGates ?? []),
      ];
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
