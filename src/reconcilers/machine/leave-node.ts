import { type Cluster, hookAnnotationPrefixes, labels } from "#api";
import { between, CapstanError, describeError, requeueAfter, retry, seconds, toError } from "#base";
import { isNotFound } from "#machinery";
import {
  attachedVolumes,
  drainMessage,
  drainNode,
  drainRetryInterval,
  Node,
  volumesMessage,
  whyNotAwaited,
  whyNotDrained,
} from "#workload";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { MachinePass, Stage } from "./deletion.ts";

/** Asks the Pods of a Node to leave; undefined where they have, or where nobody waits for it. */
export async function drain(pass: MachinePass, cluster: Cluster, nodeName: string): Promise<Stage | undefined> {
  const { object: machine, status, ports, reader, clock, log, signal, events } = pass;
  if (isWithoutControlPlane(pass) || whyNotDrained(machine, clock.now()) !== undefined) return undefined;
  const startedAt = machine.status?.deletion?.nodeDrainStartTime ?? clock.now();
  status.deletion = { ...status.deletion, nodeDrainStartTime: startedAt };
  const key = clusterKeyOf(machine);
  try {
    const result = await drainNode(
      nodeName,
      { machine, cluster },
      {
        client: ports.workload.client(key),
        reader: ports.workload.reader(key),
        management: reader,
        clock,
        log,
        signal,
      },
    );
    if (result.kind === "draining") {
      return {
        stage: { kind: "draining", message: drainMessage(result.evictions, startedAt) },
        next: requeueAfter(drainRetryInterval, "Pods are still on the Node"),
      };
    }
  } catch (error) {
    return failedStage(pass, error, { kind: "draining", what: `Error draining Node ${nodeName}` });
  }
  events.record("Normal", "SuccessfulDrainNode", `success draining Machine's node "${nodeName}"`);
  return undefined;
}

/** Waits for the volumes of a Node; undefined where none is attached, or where nobody waits for it. */
export async function detachVolumes(pass: MachinePass, cluster: Cluster, nodeName: string): Promise<Stage | undefined> {
  const { object: machine, status, ports, reader, clock, signal, events } = pass;
  if (isWithoutControlPlane(pass) || whyNotAwaited(machine, clock.now()) !== undefined) return undefined;
  const startedAt = machine.status?.deletion?.waitForNodeVolumeDetachStartTime ?? clock.now();
  status.deletion = { ...status.deletion, waitForNodeVolumeDetachStartTime: startedAt };
  try {
    const client = ports.workload.client(clusterKeyOf(machine));
    const volumes = await attachedVolumes(
      nodeName,
      { machine, cluster },
      { client, management: reader, clock, signal },
    );
    if (volumes !== undefined) {
      return {
        stage: { kind: "volumes", message: volumesMessage(volumes, startedAt) },
        next: requeueAfter(drainRetryInterval, "volumes are still attached to the Node"),
      };
    }
  } catch (error) {
    const what = `Error waiting for volumes to be detached from Node ${nodeName}`;
    return failedStage(pass, error, { kind: "volumes", what });
  }
  events.record(
    "Normal",
    "NodeVolumesDetached",
    `success waiting for node volumes detaching Machine's node "${nodeName}"`,
  );
  return undefined;
}

/** Deletes the Node; after the time that the Machine allows for it, the Machine goes without. */
export async function deleteNode(pass: MachinePass, nodeName: string): Promise<Stage | undefined> {
  const { object: machine, ports, clock, signal, log } = pass;
  try {
    await ports.workload.client(clusterKeyOf(machine)).delete(Node, { name: nodeName }, { signal });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    const { nodeDeletionTimeoutSeconds = 0 } = machine.spec.deletion ?? {};
    const since = machine.metadata.deletionTimestamp ?? clock.now();
    const isOver = nodeDeletionTimeoutSeconds > 0 && between(since, clock.now()) >= seconds(nodeDeletionTimeoutSeconds);
    if (!isOver) return failedStage(pass, error, { kind: "node", what: `Error deleting Node ${nodeName}` });
    log.info("Node deletion timeout expired, continuing without Node deletion.", { Node: nodeName });
    return undefined;
  }
}

const failedEvents = {
  draining: { reason: "FailedDrainNode", said: "error draining Machine's node" },
  volumes: { reason: "FailedWaitForVolumeDetach", said: "error waiting for node volumes detaching, Machine's node" },
  node: { reason: "FailedDeleteNode", said: "error deleting Machine's node" },
};

function failedStage(
  { events, signal }: MachinePass,
  error: unknown,
  { kind, what }: { readonly kind: keyof typeof failedEvents; readonly what: string },
): Stage {
  signal.throwIfAborted();
  if (!(error instanceof CapstanError)) throw error;
  const { reason, said } = failedEvents[kind];
  events.record("Warning", reason, `${said}: ${describeError(error)}`);
  return { stage: { kind, message: `${what}: ${describeError(error)}` }, next: retry(toError(error)) };
}

/** A KubeadmControlPlane takes its hook off when etcd has left the machine; from then on its API server answers nobody. */
function isWithoutControlPlane({ object: { metadata } }: MachinePass): boolean {
  const isItsMachine =
    Object.hasOwn(metadata.labels ?? {}, labels.controlPlane) &&
    (metadata.ownerReferences ?? []).some(({ kind }) => kind === "KubeadmControlPlane");
  return (
    isItsMachine && !Object.hasOwn(metadata.annotations ?? {}, `${hookAnnotationPrefixes.preTerminate}/kcp-cleanup`)
  );
}
