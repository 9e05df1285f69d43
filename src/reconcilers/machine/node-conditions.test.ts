import { describe, expect, test } from "vitest";
import { minutes, parseTimestamp, type Timestamp } from "#base";
import { conditionOf, decide, explain, False, lastKnown, type Report, type Status, True, Unknown } from "#conditions";
import { everyRow, type RowCase } from "#testkit";
import type { NodeCondition, NodeFacts } from "./facts.ts";
import { NodeHealthy, NodeReady } from "./node-conditions.ts";

const eleven = parseTimestamp("2025-01-15T11:00:00Z");
const fiveTo = parseTimestamp("2025-01-15T11:55:00Z");
const justBefore = parseTimestamp("2025-01-15T11:54:59Z");
const noon = parseTimestamp("2025-01-15T12:00:00Z");

const fine: NodeFacts = {
  now: noon,
  gracePeriod: minutes(5),
  cluster: { infrastructureProvisioned: true, controlPlaneInitialized: { kind: "done", since: eleven } },
  connection: { lastProbeSuccess: noon, consecutiveFailures: 0 },
  machine: { deleting: false, infrastructureKind: "DevMachine", nodeConditionsReported: true },
  node: nodeWith(says("Ready", "True"), ...pressures("False")),
};

const absent = { kind: "absent" } as const;
const notConnected = { kind: "not-connected" } as const;
const unreported = { ...fine.machine, nodeConditionsReported: false };
const neverProbed = (consecutiveFailures: number) => ({ consecutiveFailures });
const initialized = (since?: Timestamp) => ({
  ...fine.cluster,
  controlPlaneInitialized: since === undefined ? ({ kind: "done" } as const) : ({ kind: "done", since } as const),
});

function says(type: string, status: Status, message = "", since?: Timestamp): NodeCondition {
  return since === undefined ? { type, status, message } : { type, status, message, since };
}

function pressures(status: Status, message = ""): readonly NodeCondition[] {
  return ["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => says(type, status, message));
}

function nodeWith(...conditions: readonly NodeCondition[]) {
  return { kind: "found", conditions } as const;
}

type SharedRow = (typeof NodeReady.rows)[number]["id"] & (typeof NodeHealthy.rows)[number]["id"];
type SharedReason = (typeof NodeReady.reasons)[number] & (typeof NodeHealthy.reasons)[number];
type Case = RowCase<NodeFacts, SharedReason>;

const connectionDown = (message: string): Report<"ConnectionDown"> => Unknown("ConnectionDown", message);

/** What both tables say alike. */
const shared: Readonly<Record<SharedRow, Case | readonly Case[]>> = {
  "waiting-for-infrastructure": [
    {
      given: { cluster: { ...fine.cluster, infrastructureProvisioned: false } },
      report: Unknown(
        "InspectionFailed",
        "Waiting for Cluster status.initialization.infrastructureProvisioned to be true",
      ),
    },
    {
      given: {
        cluster: { infrastructureProvisioned: false, controlPlaneInitialized: { kind: "pending" } },
        connection: neverProbed(0),
        node: { kind: "failed", error: "no route" },
      },
      report: Unknown(
        "InspectionFailed",
        "Waiting for Cluster status.initialization.infrastructureProvisioned to be true",
      ),
    },
  ],
  "waiting-for-control-plane": {
    given: { cluster: { ...fine.cluster, controlPlaneInitialized: { kind: "pending" } } },
    report: Unknown("InspectionFailed", "Waiting for Cluster control plane to be initialized"),
  },
  "never-connected": [
    {
      given: { connection: neverProbed(0), machine: unreported },
      report: connectionDown("Remote connection not established yet"),
    },
    {
      given: { connection: neverProbed(4), machine: unreported, node: notConnected },
      report: connectionDown("Remote connection not established yet"),
    },
    // Within the first failures the age of the control plane does not count yet.
    {
      given: { connection: neverProbed(4), machine: unreported, cluster: initialized() },
      report: connectionDown("Remote connection not established yet"),
    },
  ],
  "never-connected-keep": [
    { given: { connection: neverProbed(4) }, report: lastKnown },
    { given: { connection: neverProbed(0), node: { kind: "failed", error: "no route" } }, report: lastKnown },
  ],
  "connection-lost": [
    {
      given: { connection: { lastProbeSuccess: justBefore, consecutiveFailures: 3 } },
      report: connectionDown("Last successful probe at 2025-01-15T11:54:59Z"),
    },
    {
      given: { connection: { lastProbeSuccess: eleven, consecutiveFailures: 9 }, node: notConnected },
      report: connectionDown("Last successful probe at 2025-01-15T11:00:00Z"),
    },
    {
      given: { connection: { lastProbeSuccess: eleven, consecutiveFailures: 9 }, node: { kind: "failed", error: "x" } },
      report: connectionDown("Last successful probe at 2025-01-15T11:00:00Z"),
    },
    // A cluster that was never reached is judged by the age of its control plane once five attempts have failed.
    { given: { connection: neverProbed(5) }, report: connectionDown("") },
    { given: { connection: neverProbed(5), cluster: initialized(), machine: unreported }, report: connectionDown("") },
  ],
  disconnected: [
    {
      given: { machine: unreported, node: notConnected },
      report: connectionDown("Last successful probe at 2025-01-15T12:00:00Z"),
    },
    {
      given: { machine: unreported, node: notConnected, connection: neverProbed(5), cluster: initialized(fiveTo) },
      report: connectionDown(""),
    },
  ],
  "disconnected-keep": [
    { given: { node: notConnected }, report: lastKnown },
    // Exactly as old as the grace period is not too old.
    {
      given: { node: notConnected, connection: { lastProbeSuccess: fiveTo, consecutiveFailures: 9 } },
      report: lastKnown,
    },
    // Five failures and never connected, but the control plane is young.
    { given: { node: notConnected, connection: neverProbed(5), cluster: initialized(fiveTo) }, report: lastKnown },
    // The later of probe and initialization counts.
    {
      given: {
        node: notConnected,
        connection: { lastProbeSuccess: eleven, consecutiveFailures: 9 },
        cluster: initialized(fiveTo),
      },
      report: lastKnown,
    },
  ],
  "lookup-failed": [
    {
      given: { node: { kind: "failed", error: "found two Nodes" } },
      report: Unknown("InternalError", "Please check controller logs for errors"),
    },
    {
      given: { node: { kind: "failed", error: "" }, machine: { ...unreported, deleting: true } },
      report: Unknown("InternalError", "Please check controller logs for errors"),
    },
  ],
  "deleted-with-machine": {
    given: { node: absent, machine: { ...fine.machine, deleting: true, nodeName: "node-1", providerID: "dev://1" } },
    report: False("NodeDeleted", "Node node-1 has been deleted"),
  },
  "never-existed": {
    given: { node: absent, machine: { ...fine.machine, deleting: true, providerID: "dev://1" } },
    report: Unknown("NodeDoesNotExist", "Node does not exist"),
  },
  "deleted-under-machine": {
    given: { node: absent, machine: { ...fine.machine, nodeName: "node-1", providerID: "dev://1" } },
    report: False("NodeDeleted", "Node node-1 has been deleted while the Machine still exists"),
  },
  "waiting-for-node": {
    given: { node: absent, machine: { ...unreported, providerID: "dev://1" } },
    report: Unknown("InspectionFailed", "Waiting for a Node with spec.providerID dev://1 to exist"),
  },
  "waiting-for-provider-id": {
    given: { node: absent },
    report: Unknown("InspectionFailed", "Waiting for DevMachine to report spec.providerID"),
  },
};

everyRow(NodeReady, fine, {
  ...shared,
  ready: [
    { given: {}, report: True("NodeReady") },
    {
      given: { node: nodeWith(says("Ready", "True", "kubelet is fine", eleven)) },
      report: True("NodeReady", "", eleven),
    },
    // The last of two counts.
    { given: { node: nodeWith(says("Ready", "False", "old"), says("Ready", "True")) }, report: True("NodeReady") },
    // Exactly as old as the grace period is not too old.
    { given: { connection: { lastProbeSuccess: fiveTo, consecutiveFailures: 1 } }, report: True("NodeReady") },
    { given: { connection: neverProbed(5), cluster: initialized(fiveTo) }, report: True("NodeReady") },
  ],
  "not-ready": [
    {
      given: { node: nodeWith(says("Ready", "False", "kubelet is down", eleven)) },
      report: False("NodeNotReady", "* Node.Ready: kubelet is down", eleven),
    },
    { given: { node: nodeWith(says("Ready", "False")) }, report: False("NodeNotReady") },
    {
      given: { node: nodeWith(says("Ready", "True"), says("Ready", "False", "later")) },
      report: False("NodeNotReady", "* Node.Ready: later"),
    },
  ],
  "ready-unknown": [
    {
      given: { node: nodeWith(says("Ready", "Unknown", "kubelet is silent", eleven)) },
      report: Unknown("NodeReadyUnknown", "* Node.Ready: kubelet is silent", eleven),
    },
    { given: { node: nodeWith(says("Ready", "Unknown")) }, report: Unknown("NodeReadyUnknown") },
  ],
  silent: [
    {
      given: { node: nodeWith() },
      report: Unknown("NodeReadyUnknown", "* Node.Ready: Condition not yet reported"),
    },
    {
      given: {
        node: nodeWith(...pressures("False")),
        machine: { ...fine.machine, deleting: true, nodeName: "node-1" },
      },
      report: Unknown("NodeReadyUnknown", "* Node.Ready: Condition not yet reported"),
    },
  ],
});

everyRow(NodeHealthy, fine, {
  ...shared,
  healthy: [
    { given: {}, report: True("NodeHealthy") },
    {
      given: { node: nodeWith(says("Ready", "True", "kubelet is fine", eleven), ...pressures("False", "enough")) },
      report: True("NodeHealthy"),
    },
    {
      given: { node: nodeWith(says("NetworkUnavailable", "True", "no cable"), ...fineConditions()) },
      report: True("NodeHealthy"),
    },
  ],
  unhealthy: [
    {
      given: { node: nodeWith(says("Ready", "False", "kubelet is down", eleven), ...pressures("False")) },
      report: False("NodeNotHealthy", "* Node.Ready: kubelet is down"),
    },
    {
      given: { node: nodeWith(says("Ready", "False"), ...pressures("False")) },
      report: False("NodeNotHealthy", "* Node.Ready: Condition is False"),
    },
    {
      given: { node: nodeWith(says("DiskPressure", "True", "disk is full"), says("Ready", "Unknown", "who knows")) },
      report: False(
        "NodeNotHealthy",
        [
          "* Node.Ready: who knows",
          "* Node.MemoryPressure: Condition not yet reported",
          "* Node.DiskPressure: disk is full",
          "* Node.PIDPressure: Condition not yet reported",
        ].join("\n"),
      ),
    },
    // One line for all, also for those that are missing.
    {
      given: { node: nodeWith(says("Ready", "False", "gone"), says("DiskPressure", "Unknown", "gone")) },
      report: False("NodeNotHealthy", "* Node.AllConditions: gone"),
    },
    {
      given: { node: nodeWith(...fineConditions(), says("MemoryPressure", "True")) },
      report: False("NodeNotHealthy", "* Node.MemoryPressure: Condition is True"),
    },
    {
      given: { node: nodeWith(says("Ready", "True"), ...pressures("True")) },
      report: False("NodeNotHealthy", "* Node.AllConditions: Condition is True"),
    },
  ],
  "health-unknown": [
    {
      given: { node: nodeWith(says("Ready", "Unknown", "silent"), ...pressures("Unknown", "silent")) },
      report: Unknown("NodeHealthyUnknown", "* Node.AllConditions: silent"),
    },
    {
      given: { node: nodeWith(says("Ready", "Unknown", "silent"), ...pressures("False")) },
      report: Unknown("NodeHealthyUnknown", "* Node.Ready: silent"),
    },
    {
      given: { node: nodeWith() },
      report: Unknown(
        "NodeHealthyUnknown",
        ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]
          .map((type) => `* Node.${type}: Condition not yet reported`)
          .join("\n"),
      ),
    },
  ],
});

function fineConditions(): readonly NodeCondition[] {
  return [says("Ready", "True"), ...pressures("False")];
}

describe("the spelling of reasons", () => {
  const node = nodeWith(says("Ready", "False", "down"), ...pressures("False"));

  test("NodeReady is spelled as documented unless upstream's spelling is asked for", () => {
    const { report } = decide(NodeReady, { ...fine, node });
    expect(conditionOf(NodeReady, report)?.reason).toBe("NotReady");
    expect(conditionOf(NodeReady, report, "upstream")?.reason).toBe("NodeNotReady");
  });

  test("NodeHealthy is always spelled as upstream does", () => {
    const { report } = decide(NodeHealthy, { ...fine, node });
    expect(conditionOf(NodeHealthy, report)?.reason).toBe("NodeNotHealthy");
    expect(conditionOf(NodeHealthy, report, "upstream")?.reason).toBe("NodeNotHealthy");
  });
});

test("an explanation names what would hold if the connection were there", () => {
  const facts = { ...fine, connection: { lastProbeSuccess: eleven, consecutiveFailures: 9 } };
  const { row, rows } = explain(NodeReady, facts);
  expect(row).toBe("connection-lost");
  expect(rows.filter(({ verdict }) => verdict === "holds-too").map(({ id }) => id)).toEqual(["ready"]);
});

test("a table test that leaves a row out, or expects an unknown reason, does not compile", () => {
  type Cases = Parameters<
    typeof everyRow<NodeFacts, (typeof NodeReady.reasons)[number], (typeof NodeReady.rows)[number]["id"]>
  >[2];
  // @ts-expect-error -- all rows of NodeReady itself are missing
  const incomplete: Cases = shared;
  // @ts-expect-error -- NodeReady has no such reason
  const unknownReason: Cases["ready"] = { given: {}, report: True("NodeHealthy") };
  expect([Object.keys(incomplete).length, "report" in unknownReason]).toEqual([13, true]);
});
