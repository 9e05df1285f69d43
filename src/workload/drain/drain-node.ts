import { annotations, type Machine } from "#api";
import { between, type Clock, type Logger, seconds, type Timestamp, wrap } from "#base";
import type { Client } from "#client";
import type { Reader } from "#control";
import { Node } from "../core-kinds.ts";
import type { DrainedMachine } from "./drain-rules.ts";
import { type Evictions, evictPods, isDrained } from "./evict-pods.ts";
import { podsOnNode } from "./pods-on-node.ts";

/** What came of draining a Node. */
export type DrainResult =
  /** Somebody has deleted it already. */
  | { readonly kind: "node-gone" }
  | { readonly kind: "drained" }
  /** Some Pods are still there; the next pass goes on. */
  | { readonly kind: "draining"; readonly evictions: Evictions };

/** What draining needs. */
export interface DrainPorts {
  /** Asks the workload cluster itself. */
  readonly client: Client;
  /** Reads the Nodes of the workload cluster. */
  readonly reader: Reader;
  /** Reads MachineDrainRules. */
  readonly management: Reader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

/** How long a pass waits before it looks again after Pods that are still there, and after volumes. */
export const drainRetryInterval = seconds(20);

/** Marks a Node as not to be scheduled on and asks its Pods to leave, as budgets and MachineDrainRules allow. */
export async function drainNode(nodeName: string, drained: DrainedMachine, ports: DrainPorts): Promise<DrainResult> {
  const { client, reader, management, clock, log, signal } = ports;
  const calling = signal === undefined ? {} : { signal };
  const node = await reader.find(Node, { name: nodeName }, calling).catch((error: unknown) => {
    throw wrap(error, `unable to get Node ${nodeName}`);
  });
  if (node === undefined) return { kind: "node-gone" };
  const unreachable = isUnreachable(node);
  await cordonNode(node, client, calling);

  const reads = { client, management, clock, ...calling };
  const pods = await podsOnNode({ ...drained, nodeName, unreachable }, reads);
  if (!pods.some(({ decision }) => "order" in decision)) return { kind: "drained" };
  // Pods of a kubelet that does not answer end only on paper, so that waiting for their grace is of no use.
  const grace = unreachable ? { gracePeriodSeconds: 1 } : {};
  const evictions = await evictPods(pods, { client, clock, log, ...grace, ...calling });
  return isDrained(evictions) ? { kind: "drained" } : { kind: "draining", evictions };
}

/** True where the kubelet of a Node has not been heard of for so long that nobody knows how it is. */
export function isUnreachable({ status }: Node): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === "Ready" && condition.status === "Unknown");
}

/** Why the Node of a Machine is not drained; undefined where it is. */
export function whyNotDrained(machine: Pick<Machine, "metadata" | "spec" | "status">, now: Timestamp) {
  if (machine.metadata.annotations?.[annotations.excludeNodeDraining] !== undefined) return "excluded";
  const { nodeDrainTimeoutSeconds } = machine.spec.deletion ?? {};
  const startedAt = machine.status?.deletion?.nodeDrainStartTime;
  return isTimeUp({ startedAt, timeoutSeconds: nodeDrainTimeoutSeconds, now }) ? "timed-out" : undefined;
}

/** True where something that may take so long has taken it; without a time it may take for ever. */
export function isTimeUp(of: {
  readonly startedAt: Timestamp | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly now: Timestamp;
}): boolean {
  const { startedAt, timeoutSeconds = 0, now } = of;
  return startedAt !== undefined && timeoutSeconds > 0 && between(startedAt, now) >= seconds(timeoutSeconds);
}

async function cordonNode(node: Node, client: Client, options: { readonly signal?: AbortSignal }): Promise<void> {
  if (node.spec?.unschedulable === true) return;
  const { name = "" } = node.metadata;
  try {
    await client.patch(Node, { name }, { kind: "merge", patch: { spec: { unschedulable: true } } }, options);
  } catch (error) {
    throw wrap(error, `failed to cordon Node ${name}`);
  }
}
