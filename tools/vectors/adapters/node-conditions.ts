import type { Cluster, Machine } from "#api";
import { parseTimestamp, seconds, type Timestamp } from "#base";
import {
  type Condition,
  conditionOf,
  conditionsOf,
  type ConditionTable,
  decide,
  getCondition,
  type ReasonSpelling,
  setCondition,
} from "#conditions";
import type { KubeObject } from "#machinery";
import { type NodeFacts, nodeFacts, nodeFound, NodeHealthy, type NodeLookup, NodeReady } from "#reconcilers/machine";
import type { AdapterContext, Adapters } from "./adapter.ts";
import { recorded } from "./recorded.ts";

interface RecordedPass {
  readonly cluster: Cluster;
  readonly machine: Machine;
  readonly node?: KubeObject;
  readonly nodeGetError?: string;
  readonly healthCheckingState: { readonly lastProbeSuccessTime?: Timestamp; readonly consecutiveFailures: number };
  readonly remoteConditionsGracePeriodSeconds: number;
}

/** Sets NodeHealthy and NodeReady of a Machine as a pass does. */
export const nodeReady: Adapters = { "*": recorded(reportNode) };

/** Sums up the conditions of a Node that can be seen. */
export const nodeHealthySummary: Adapters = { "*": recorded(summarizeNode) };

function reportNode(input: RecordedPass, { now = "", form }: AdapterContext): unknown {
  const { machine, healthCheckingState: health } = input;
  const facts = nodeFacts({
    now: parseTimestamp(now),
    gracePeriod: seconds(input.remoteConditionsGracePeriodSeconds),
    cluster: input.cluster,
    machine,
    connection: {
      consecutiveFailures: health.consecutiveFailures,
      ...(health.lastProbeSuccessTime === undefined ? {} : { lastProbeSuccess: health.lastProbeSuccessTime }),
    },
    node: lookupOf(input),
  });
  const spelling = form === "upstream" ? "upstream" : "documented";
  const conditions = [reported(NodeReady, facts, spelling), reported(NodeHealthy, facts, spelling)]
    .filter((condition) => condition !== undefined)
    .reduce<readonly Condition[]>(
      (present, condition) =>
        setCondition(present, condition, { generation: machine.metadata.generation ?? 0, now: facts.now }),
      conditionsOf(machine),
    )
    .filter(({ type }) => type === NodeReady.type || type === NodeHealthy.type);
  const ready = getCondition({ status: { conditions } }, NodeReady.type);
  return { conditions, nodeReadyLastTransitionTime: ready?.lastTransitionTime };
}

function summarizeNode({ nodeConditions }: { readonly nodeConditions: readonly object[] }): unknown {
  const { conditions } = foundWith(nodeConditions);
  const facts: NodeFacts = {
    now: parseTimestamp("2025-01-15T12:00:00Z"),
    gracePeriod: seconds(300),
    cluster: { infrastructureProvisioned: true, controlPlaneInitialized: { kind: "done" } },
    connection: { lastProbeSuccess: parseTimestamp("2025-01-15T12:00:00Z"), consecutiveFailures: 0 },
    machine: { deleting: false, infrastructureKind: "", nodeConditionsReported: false },
    node: { kind: "found", conditions },
  };
  const { status, reason, message } = reported(NodeHealthy, facts, "upstream") ?? {};
  return { status, reason, message };
}

function foundWith(conditions: readonly object[]) {
  const node = { apiVersion: "v1", kind: "Node", metadata: {}, status: { conditions } };
  const found = nodeFound(node);
  if (found.kind !== "found") throw new TypeError("a Node that is there is found");
  return found;
}

function lookupOf({ node, nodeGetError }: RecordedPass): NodeLookup {
  if (nodeGetError === "ErrClusterNotConnected") return { kind: "not-connected" };
  if (nodeGetError !== undefined) return { kind: "failed", error: nodeGetError };
  return node === undefined ? { kind: "absent" } : nodeFound(node);
}

function reported<Reason extends string, Id extends string>(
  table: ConditionTable<NodeFacts, Reason, Id>,
  facts: NodeFacts,
  spelling: ReasonSpelling,
): Condition | undefined {
  return conditionOf(table, decide(table, facts).report, spelling);
}
