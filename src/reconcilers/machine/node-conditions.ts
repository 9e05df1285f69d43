import { between, formatDuration, latest, type Timestamp } from "#base";
import {
  defineCondition,
  False,
  finds,
  holds,
  lastKnown,
  nothing,
  otherwise,
  row,
  type Status,
  True,
  Unknown,
} from "#conditions";
import type { NodeCondition, NodeFacts } from "./facts.ts";
import { nodeHealth, type NodeHealth, nodeLine, notReported, reportOf } from "./node-health.ts";

/** A cluster that was never reached and failed this often is judged by its age instead. */
const failuresUntilGiveUp = 5;

/** The Node cannot be seen: NodeReady and NodeHealthy answer alike. */
const unseen = [
  row({
    id: "waiting-for-infrastructure",
    when: holds("Cluster infrastructure is not provisioned", noInfrastructure),
    ensure: nothing("waiting for cluster infrastructure"),
    report: Unknown(
      "InspectionFailed",
      "Waiting for Cluster status.initialization.infrastructureProvisioned to be true",
    ),
  }),
  row({
    id: "waiting-for-control-plane",
    when: holds("Cluster control plane is not initialized", noControlPlane),
    ensure: nothing("waiting for control plane"),
    report: Unknown("InspectionFailed", "Waiting for Cluster control plane to be initialized"),
  }),
  row({
    id: "never-connected",
    when: holds("no probe ever succeeded, fewer than 5 failed, NodeReady or NodeHealthy is missing", dialingFirstTime),
    ensure: nothing("connection not established yet"),
    report: Unknown("ConnectionDown", "Remote connection not established yet"),
  }),
  // Not in the seed: a restart of the manager must not flip every Machine (decision D2).
  row({
    id: "never-connected-keep",
    when: holds("no probe ever succeeded, fewer than 5 failed", dialing),
    ensure: nothing("the last known status stands after a restart of the manager"),
    report: lastKnown,
  }),
  row({
    id: "connection-lost",
    when: finds("last good probe and control plane initialization are both older than the grace period", graceIsOver),
    ensure: nothing("the last known status is too old to stand"),
    report: (probe) => Unknown("ConnectionDown", probeLine(probe)),
  }),
  row({
    id: "disconnected",
    when: finds("workload cluster is not connected, NodeReady or NodeHealthy is missing", disconnectedFirstTime),
    ensure: nothing("temporary connection issue"),
    report: (probe) => Unknown("ConnectionDown", probeLine(probe)),
  }),
  // Not in the seed, but its note 3 asks for it (decision D2).
  row({
    id: "disconnected-keep",
    when: holds("workload cluster is not connected", disconnected),
    ensure: nothing("the last known status stands within the grace period"),
    report: lastKnown,
  }),
  row({
    id: "lookup-failed",
    when: finds("the Node could not be read", lookupError),
    ensure: nothing("internal error; the step that failed has logged it"),
    report: Unknown("InternalError", "Please check controller logs for errors"),
  }),
];

/** The workload cluster answers, and the Node is not in it. */
const absent = [
  row({
    id: "deleted-with-machine",
    when: finds("Node is absent, nodeRef is set, Machine is deleting", lostNodeOfDeletingMachine),
    ensure: nothing("node deleted during machine deletion"),
    report: (node) => False("NodeDeleted", `Node ${node.name} has been deleted`),
  }),
  row({
    id: "never-existed",
    when: holds("Node is absent, Machine is deleting", absentFromDeletingMachine),
    ensure: nothing("node never existed"),
    report: Unknown("NodeDoesNotExist", "Node does not exist"),
  }),
  row({
    id: "deleted-under-machine",
    when: finds("Node is absent, nodeRef is set", lostNode),
    ensure: nothing("node unexpectedly deleted"),
    report: (node) => False("NodeDeleted", `Node ${node.name} has been deleted while the Machine still exists`),
  }),
  row({
    id: "waiting-for-node",
    when: finds("Node is absent, providerID is set", awaitedNode),
    ensure: nothing("waiting for node to appear"),
    report: (node) =>
      Unknown("InspectionFailed", `Waiting for a Node with spec.providerID ${node.providerID} to exist`),
  }),
];

const waitingForProviderID = otherwise({
  id: "waiting-for-provider-id",
  when: "Node is absent, providerID is not set",
  sees: ({ machine }: NodeFacts) => ({ kind: machine.infrastructureKind }),
  ensure: nothing("waiting for provider ID"),
  report: (infrastructure) =>
    Unknown("InspectionFailed", `Waiting for ${infrastructure.kind} to report spec.providerID`),
});

const sharedReasons = [
  "ConnectionDown",
  "InspectionFailed",
  "InternalError",
  "NodeDeleted",
  "NodeDoesNotExist",
] as const;

/** Seed 004. */
export const NodeReady = defineCondition({
  of: "Machine",
  type: "NodeReady",
  summary: "Mirrors the Ready condition of the Machine's Node, or says why the Node cannot be seen.",
  reasons: [...sharedReasons, "NodeReady", "NodeNotReady", "NodeReadyUnknown"],
  // The seed spells five of them shorter; that spelling is written unless --condition-reasons=upstream (decision D1).
  documented: {
    NodeReady: "Ready",
    NodeNotReady: "NotReady",
    NodeReadyUnknown: "Unknown",
    NodeDeleted: "Deleted",
    NodeDoesNotExist: "DoesNotExist",
  },
  rows: [
    ...unseen,
    row({
      id: "ready",
      when: finds("Node reports Ready=True", readyIs("True")),
      ensure: nothing("mirror Node Ready condition"),
      report: (node) => True("NodeReady", "", node.since),
    }),
    row({
      id: "not-ready",
      when: finds("Node reports Ready=False", readyIs("False")),
      ensure: nothing("mirror Node Ready condition"),
      report: (node) => False("NodeNotReady", readyLine(node), node.since),
    }),
    row({
      id: "ready-unknown",
      when: finds("Node reports Ready=Unknown", readyIs("Unknown")),
      ensure: nothing("mirror Node Ready condition"),
      report: (node) => Unknown("NodeReadyUnknown", readyLine(node), node.since),
    }),
    row({
      id: "silent",
      when: holds("Node does not report Ready", silent),
      ensure: nothing("condition not reported yet"),
      report: Unknown("NodeReadyUnknown", nodeLine("Ready", notReported)),
    }),
    ...absent,
  ],
  otherwise: waitingForProviderID,
});

/** The companion of NodeReady: all of the Node's conditions in one. */
export const NodeHealthy = defineCondition({
  of: "Machine",
  type: "NodeHealthy",
  summary: "Sums up Ready, MemoryPressure, DiskPressure and PIDPressure of the Machine's Node.",
  reasons: [...sharedReasons, "NodeHealthy", "NodeNotHealthy", "NodeHealthyUnknown"],
  rows: [
    ...unseen,
    row({
      id: "unhealthy",
      when: finds("some condition of the Node is bad", healthIs("bad")),
      ensure: nothing("sum up the Node's conditions"),
      report: (health) => False("NodeNotHealthy", health.message),
    }),
    row({
      id: "health-unknown",
      when: finds("some condition of the Node is unknown or not reported", healthIs("unknown")),
      ensure: nothing("sum up the Node's conditions"),
      report: (health) => Unknown("NodeHealthyUnknown", health.message),
    }),
    row({
      id: "healthy",
      when: finds("all conditions of the Node are good", healthIs("good")),
      ensure: nothing("sum up the Node's conditions"),
      report: True("NodeHealthy"),
    }),
    ...absent,
  ],
  otherwise: waitingForProviderID,
});

/** The last probe of the workload cluster that succeeded, if one did. */
interface Probe {
  readonly lastSuccess?: Timestamp;
  /** How long what was last known stands, where that was asked. */
  readonly gracePeriod?: string;
}

function noInfrastructure({ cluster }: NodeFacts): boolean {
  return !cluster.infrastructureProvisioned;
}

function noControlPlane({ cluster }: NodeFacts): boolean {
  return cluster.controlPlaneInitialized.kind === "pending";
}

function dialing({ connection }: NodeFacts): boolean {
  return connection.lastProbeSuccess === undefined && connection.consecutiveFailures < failuresUntilGiveUp;
}

function dialingFirstTime(facts: NodeFacts): boolean {
  return dialing(facts) && !facts.machine.nodeConditionsReported;
}

/** Grace runs from the last good probe, or from the control plane's initialization if that came later. */
function graceIsOver(facts: NodeFacts): Probe | undefined {
  const { cluster, connection, gracePeriod, now } = facts;
  if (cluster.controlPlaneInitialized.kind === "pending") return undefined;
  const since = latest(connection.lastProbeSuccess, cluster.controlPlaneInitialized.since);
  if (since !== undefined && between(since, now) <= gracePeriod) return undefined;
  return { ...lastProbe(facts), gracePeriod: formatDuration(gracePeriod) };
}

function disconnected({ node }: NodeFacts): boolean {
  return node.kind === "not-connected";
}

function disconnectedFirstTime(facts: NodeFacts): Probe | undefined {
  return disconnected(facts) && !facts.machine.nodeConditionsReported ? lastProbe(facts) : undefined;
}

function lastProbe({ connection }: NodeFacts): Probe {
  const { lastProbeSuccess: lastSuccess } = connection;
  return lastSuccess === undefined ? {} : { lastSuccess };
}

function probeLine({ lastSuccess }: Probe): string {
  return lastSuccess === undefined ? "" : `Last successful probe at ${lastSuccess}`;
}

function lookupError({ node }: NodeFacts): { readonly error: string } | undefined {
  return node.kind === "failed" ? { error: node.error } : undefined;
}

function readyIs(status: Status) {
  return ({ node }: NodeFacts): NodeCondition | undefined => {
    const ready = node.kind === "found" ? reportOf(node.conditions, "Ready") : undefined;
    return ready?.status === status ? ready : undefined;
  };
}

function silent({ node }: NodeFacts): boolean {
  return node.kind === "found" && reportOf(node.conditions, "Ready") === undefined;
}

function readyLine({ message }: NodeCondition): string {
  return message === "" ? "" : nodeLine("Ready", message);
}

function healthIs(verdict: NodeHealth["verdict"]) {
  return ({ node }: NodeFacts): NodeHealth | undefined => {
    const health = node.kind === "found" ? nodeHealth(node.conditions) : undefined;
    return health?.verdict === verdict ? health : undefined;
  };
}

function lostNode({ node, machine }: NodeFacts): { readonly name: string } | undefined {
  return node.kind === "absent" && machine.nodeName !== undefined ? { name: machine.nodeName } : undefined;
}

function lostNodeOfDeletingMachine(facts: NodeFacts): { readonly name: string } | undefined {
  return facts.machine.deleting ? lostNode(facts) : undefined;
}

function absentFromDeletingMachine({ node, machine }: NodeFacts): boolean {
  return node.kind === "absent" && machine.deleting;
}

function awaitedNode({ node, machine }: NodeFacts): { readonly providerID: string } | undefined {
  return node.kind === "absent" && machine.providerID !== undefined ? { providerID: machine.providerID } : undefined;
}
