import { type DevMachine, labels, type Machine } from "#api";
import type { Timestamp } from "#base";
import { type Client } from "#client";
import { deepEqual, fieldAt, isAlreadyExists, isNotFound, type KubeObject } from "#machinery";
import { type NodeBreak, nodeBreakOf } from "./breaks.ts";

const NodeKind = { group: "", version: "v1", kind: "Node" } as const;

/** The id by which a Machine and its Node find each other. */
export function providerIDOf(machine: DevMachine): string {
  return `in-memory://${machine.metadata.name ?? ""}`;
}

/** What the Node of a simulated machine is to look like. */
export interface SimulatedNode {
  readonly name: string;
  readonly providerID: string;
  readonly isControlPlane: boolean;
  /** When the kubelet began to say what it says. */
  readonly since: Timestamp;
  readonly broken: NodeBreak;
  readonly version?: string;
}

/** The Node of a simulated machine, from the objects that describe it. */
export function simulatedNode(devMachine: DevMachine, machine: Machine | undefined, since: Timestamp): SimulatedNode {
  const version = machine?.spec.version;
  return {
    name: devMachine.metadata.name ?? "",
    providerID: providerIDOf(devMachine),
    isControlPlane: Object.hasOwn(machine?.metadata.labels ?? {}, labels.controlPlane),
    since,
    broken: nodeBreakOf(devMachine),
    ...(version === undefined ? {} : { version }),
  };
}

/** Makes a Node be as it is to be: there or not, and with what its kubelet says. */
export async function ensureNode(client: Client, wanted: SimulatedNode): Promise<void> {
  const key = { name: wanted.name };
  if (wanted.broken === "gone") return await removeNode(client, wanted.name);
  const found = (await client.find(NodeKind, key)) ?? (await createNode(client, wanted));
  const conditions = conditionsOf(wanted, fieldAt(found, "status", "conditions"));
  if (deepEqual(fieldAt(found, "status", "conditions"), conditions)) return;
  await client.patchStatus(NodeKind, key, {
    kind: "merge",
    patch: { status: { conditions, nodeInfo: nodeInfo(wanted) } },
  });
}

/** Deletes a Node, if it is there. */
export async function removeNode(client: Client, name: string): Promise<void> {
  try {
    await client.delete(NodeKind, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function createNode(client: Client, wanted: SimulatedNode): Promise<KubeObject> {
  const { name, providerID, isControlPlane } = wanted;
  const role = "node-role.kubernetes.io/control-plane";
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...(isControlPlane ? { [role]: "" } : {}) } },
    // A kubelet registers its Node with what it has to say.
    status: { conditions: conditionsOf(wanted, []), nodeInfo: nodeInfo(wanted) },
    spec: { providerID, ...(isControlPlane ? { taints: [{ key: role, effect: "NoSchedule" }] } : {}) },
  };
  try {
    return await client.create(NodeKind, node);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return await client.get(NodeKind, { name });
  }
}

type NodeCondition = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
};

/** A condition that says the same as before keeps its time. */
function conditionsOf({ broken, since }: SimulatedNode, before: unknown): NodeCondition[] {
  const isUp = broken !== "down";
  const pressure = (type: string, reason: string, message: string) => entry(type, "False", reason, message);
  return [
    isUp
      ? entry("Ready", "True", "KubeletReady", "kubelet is posting ready status")
      : entry("Ready", "False", "KubeletNotReady", "the kubelet was stopped on purpose"),
    pressure("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    pressure("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    pressure("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
  ];

  function entry(type: string, status: string, reason: string, message: string): NodeCondition {
    const old: unknown = Array.isArray(before) ? before.find((one) => fieldAt(one, "type") === type) : undefined;
    const known = fieldAt(old, "status") === status ? fieldAt(old, "lastTransitionTime") : undefined;
    const time = typeof known === "string" ? known : since;
    return { type, status, reason, message, lastHeartbeatTime: time, lastTransitionTime: time };
  }
}

function nodeInfo({ name, version = "v1.35.0" }: SimulatedNode) {
  return {
    machineID: name,
    systemUUID: name,
    bootID: name,
    kernelVersion: "simulated",
    osImage: "Capstan in memory",
    containerRuntimeVersion: "none://0",
    kubeletVersion: version,
    kubeProxyVersion: version,
    operatingSystem: "linux",
    architecture: "amd64",
  };
}
