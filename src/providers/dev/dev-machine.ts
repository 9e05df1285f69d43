import { annotations, Cluster, DevMachine, finalizers, labels, Machine } from "#api";
import {
  between,
  CapstanError,
  describeError,
  type Duration,
  milliseconds,
  noTime,
  parseDuration,
  parseTimestamp,
  retry,
  type Timestamp,
  toError,
} from "#base";
import { isTrue, lastTransitionTimeOf, sourceOf } from "#conditions";
import {
  defineReconciler,
  defineStep,
  judged,
  type KeysOf,
  type Looking,
  type Pass,
  pickChanged,
  related,
} from "#control";
import { keyOf, namespacedName, type ObjectKey } from "#machinery";
import { devMachinesByCluster, type DevPorts } from "./dev-cluster.ts";
import { DevMachineReady, NodeProvisioned, summarizeDevMachine, VMProvisioned } from "./dev-machine-conditions.ts";
import type { DevMachineFacts, Gate, Startup } from "./dev-machine-facts.ts";
import { ensureNode, providerIDOf, removeNode, simulatedNode } from "./node-object.ts";
import { clusterOfDevMachine, ownerOfDevMachine } from "./owners.ts";

type DevMachinePass = Pass<DevMachine, DevMachineFacts, DevPorts>;

/** When a machine that takes its time was started. */
const startedAnnotation = "dev.capstan.io/started-at";

/** Starts the simulated machine when everything that it waits for is there. */
const vm = defineStep<DevMachine, DevMachineFacts, DevPorts>({
  name: "vm",
  text: "start the simulated machine; give it its provider id when it runs",
  async observe(looking) {
    const gate = await gateOf(looking);
    return { gate, vm: gate.kind === "open" || isUp(looking.object) ? vmStartup(looking) : { kind: "not-started" } };
  },
  run({ object, metadata, spec, status, facts }) {
    if (facts.vm.kind === "starting" && metadata.annotations?.[startedAnnotation] === undefined) {
      metadata.annotations = { ...metadata.annotations, [startedAnnotation]: facts.now };
    }
    if (facts.vm.kind !== "up") return;
    spec.providerID = providerIDOf(object);
    status.initialization = { provisioned: true };
    status.addresses = [{ type: "Hostname", address: object.metadata.name ?? "" }];
  },
});

/** Lets the Node join, and keeps it as it is to be. */
const node = defineStep<DevMachine, DevMachineFacts, DevPorts>({
  name: "node",
  text: "make the Node of the machine in its cluster; break it where that is asked for",
  learns: ["node"],
  observe(looking) {
    const startup = nodeStartup(looking);
    // Whether it has joined only acting tells.
    return startup.kind === "up" ? {} : { node: startup };
  },
  async run(pass) {
    try {
      pass.learn({ node: await joinNode(pass) });
      return undefined;
    } catch (error) {
      pass.signal.throwIfAborted();
      if (!(error instanceof CapstanError)) throw error;
      pass.learn({ node: { kind: "failed", error: describeError(error) } });
      return retry(toError(error));
    }
  },
});

/** Takes the Node away with its machine. */
const tearDown = defineStep<DevMachine, DevMachineFacts, DevPorts>({
  name: "tear-down",
  text: "delete the Node of the machine",
  async run({ object, ports }) {
    const server = ports.servers.find(clusterOfDevMachine(object));
    if (server !== undefined) await removeNode(server.client, object.metadata.name ?? "");
  },
});

/** Brings DevMachines along. */
export const devMachine = defineReconciler<DevMachine, DevMachineFacts, DevPorts>({
  name: "devmachine",
  kind: DevMachine,
  watches: [
    related(Machine, infrastructureOf, { predicate: pickChanged(wishesOf) }),
    related(Cluster, machinesOf, { predicate: pickChanged(gatesOf) }),
  ],
  isOurs: (object) => ownerOfDevMachine(object) !== undefined,
  paused: async ({ object, reader, signal }) => ({
    clusterPaused: (await reader.find(Cluster, clusterOfDevMachine(object), { signal }))?.spec?.paused ?? false,
    annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
  }),
  facts: (_, { now }) => ({
    now,
    gate: { kind: "not-looked" },
    vm: { kind: "not-started" },
    node: { kind: "not-started" },
  }),
  steps: [vm, node],
  finalizer: finalizers.devMachine,
  // It follows from the name; nobody reads it before the machine is said to be provisioned.
  withFinalizer: (object, { spec }) => void (spec.providerID = providerIDOf(object)),
  onDelete: [tearDown],
  conditions: [
    VMProvisioned,
    NodeProvisioned,
    judged(DevMachineReady, ({ object, conditions }) => summarizeDevMachine(sourceOf(object, conditions))),
  ],
});

async function gateOf({ object, reader, signal }: Looking<DevMachine, DevMachineFacts, DevPorts>): Promise<Gate> {
  const owner = ownerOfDevMachine(object);
  const machine = owner === undefined ? undefined : await reader.find(Machine, owner, { signal });
  if (machine === undefined) return { kind: "no-machine" };
  const cluster = await reader.find(Cluster, { ...keyOf(machine), name: machine.spec.clusterName }, { signal });
  const isWorker = !Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane);
  // Asked first, because a worker's wait for the control plane includes the wait for the infrastructure.
  if (isWorker && !(cluster !== undefined && isTrue(cluster, "ControlPlaneInitialized")))
    return { kind: "control-plane" };
  if (cluster?.status?.initialization?.infrastructureProvisioned !== true) return { kind: "cluster-infrastructure" };
  return (machine.spec.bootstrap.dataSecretName ?? "") === "" ? { kind: "bootstrap-data" } : { kind: "open" };
}

function vmStartup({ object, facts }: Looking<DevMachine, DevMachineFacts, DevPorts>): Startup {
  if (isUp(object)) return { kind: "up" };
  const started = object.metadata.annotations?.[startedAnnotation];
  const since = started === undefined ? facts.now : parseTimestamp(started);
  return startupOf(since, facts.now, object.spec?.backend.inMemory?.vm);
}

function nodeStartup({ object, facts }: Pick<DevMachinePass, "object" | "facts">): Startup {
  if (facts.vm.kind !== "up") return { kind: "not-started" };
  if (isTrue(object, "NodeProvisioned")) return { kind: "up" };
  const vmUpSince = lastTransitionTimeOf(object, "VMProvisioned");
  const since = isTrue(object, "VMProvisioned") ? (vmUpSince ?? facts.now) : facts.now;
  return startupOf(since, facts.now, object.spec?.backend.inMemory?.node);
}

async function joinNode(pass: DevMachinePass): Promise<Startup> {
  const { object, facts, reader, signal, ports } = pass;
  const startup = nodeStartup(pass);
  if (startup.kind !== "up") return startup;
  const owner = ownerOfDevMachine(object);
  const machine = owner === undefined ? undefined : await reader.find(Machine, owner, { signal });
  const server = ports.servers.find(clusterOfDevMachine(object));
  // While its server is being opened, the Nodes are made with it.
  if (server === undefined) return { kind: "failed", error: "the API server of the cluster does not run yet" };
  await ensureNode(server.client, simulatedNode(object, machine, facts.now));
  return { kind: "up" };
}

function isUp(object: DevMachine): boolean {
  return isTrue(object, "VMProvisioned");
}

interface Startable {
  readonly provisioning?: { readonly startupDuration: string };
}

function startupOf(since: Timestamp, now: Timestamp, startable: Startable | undefined): Startup {
  const takes = durationOf(startable?.provisioning?.startupDuration);
  const passed = between(since, now);
  return passed >= takes ? { kind: "up" } : { kind: "starting", left: milliseconds(takes - passed) };
}

function durationOf(text: string | undefined): Duration {
  return text === undefined ? noTime : parseDuration(text);
}

/** What a machine is made by; whatever else its Machine says is no news to it. */
function wishesOf({ metadata, spec }: Machine): unknown {
  return [metadata.labels, spec.infrastructureRef, spec.bootstrap.dataSecretName, spec.version, spec.clusterName];
}

/** What machines wait for in their Cluster; whatever else it says is no news to them. */
function gatesOf(cluster: Cluster): unknown {
  const { infrastructureProvisioned = false } = cluster.status?.initialization ?? {};
  return [cluster.spec.paused ?? false, infrastructureProvisioned, isTrue(cluster, "ControlPlaneInitialized")];
}

function infrastructureOf(machine: Machine): readonly ObjectKey[] {
  const { kind, name } = machine.spec.infrastructureRef;
  return kind === "DevMachine" ? [{ ...keyOf(machine), name }] : [];
}

/** Machines wait for the infrastructure and the control plane of their Cluster. */
async function machinesOf(cluster: Cluster, { reader, signal }: Woken): Promise<readonly ObjectKey[]> {
  const { namespace = "" } = cluster.metadata;
  const indexed = { by: devMachinesByCluster, value: namespacedName(keyOf(cluster)) };
  return (await reader.list(DevMachine, { namespace, indexed, signal })).map(keyOf);
}

type Woken = Parameters<KeysOf<DevMachine>>[1];
