import type { Cluster, Machine } from "#api";
import { type Duration, InvalidTimestampError, parseTimestamp, type Timestamp } from "#base";
import { getCondition, hasCondition, type Status } from "#conditions";
import { fieldAt, isJsonObject, type KubeObject } from "#machinery";
import type { ControlPlaneInitialized, NodeCondition, NodeFacts, NodeLookup } from "./facts.ts";

/** What the connection to a workload cluster is known to be like. */
export interface ConnectionHealth {
  readonly lastProbeSuccess?: Timestamp;
  readonly consecutiveFailures: number;
}

/** What a pass knows about the Node behind a Machine, from the objects and what was seen of the workload cluster. */
export function nodeFacts(options: {
  readonly now: Timestamp;
  readonly gracePeriod: Duration;
  readonly cluster: Cluster;
  readonly machine: Machine;
  readonly connection: ConnectionHealth;
  readonly node: NodeLookup;
}): NodeFacts {
  const { now, gracePeriod, cluster, machine, connection, node } = options;
  const nodeName = machine.status?.nodeRef?.name ?? "";
  const providerID = machine.spec.providerID ?? "";
  const { lastProbeSuccess } = connection;
  return {
    now,
    gracePeriod,
    cluster: {
      infrastructureProvisioned: cluster.status?.initialization?.infrastructureProvisioned ?? false,
      controlPlaneInitialized: initialization(cluster),
    },
    connection: {
      consecutiveFailures: connection.consecutiveFailures,
      ...(lastProbeSuccess === undefined ? {} : { lastProbeSuccess }),
    },
    machine: {
      deleting: machine.metadata.deletionTimestamp !== undefined,
      infrastructureKind: machine.spec.infrastructureRef.kind,
      nodeConditionsReported: hasCondition(machine, "NodeReady") && hasCondition(machine, "NodeHealthy"),
      ...(nodeName === "" ? {} : { nodeName }),
      ...(providerID === "" ? {} : { providerID }),
    },
    node,
  };
}

/** A Node that was found, and what its kubelet says of it; what is no condition is left out. */
export function nodeFound(node: KubeObject): NodeLookup {
  const conditions = fieldAt(node, "status", "conditions");
  return { kind: "found", conditions: Array.isArray(conditions) ? conditions.flatMap(nodeConditionOf) : [] };
}

function initialization(cluster: Cluster): ControlPlaneInitialized {
  const condition = getCondition(cluster, "ControlPlaneInitialized");
  if (condition?.status !== "True") return { kind: "pending" };
  const { lastTransitionTime: since } = condition;
  return { kind: "done", ...(since === undefined ? {} : { since }) };
}

function nodeConditionOf(entry: unknown): readonly NodeCondition[] {
  if (!isJsonObject(entry)) return [];
  const { type, status, message, lastTransitionTime } = entry;
  if (typeof type !== "string") return [];
  return [
    {
      type,
      status: isStatus(status) ? status : "Unknown",
      message: typeof message === "string" ? message : "",
      ...sinceOf(lastTransitionTime),
    },
  ];
}

/** A time that nobody can read is no reason not to know how a Node is. */
function sinceOf(time: unknown): { readonly since?: Timestamp } {
  if (typeof time !== "string") return {};
  try {
    return { since: parseTimestamp(time) };
  } catch (error) {
    if (!(error instanceof InvalidTimestampError)) throw error;
    return {};
  }
}

function isStatus(value: unknown): value is Status {
  return value === "True" || value === "False" || value === "Unknown";
}
