import { parseTimestamp } from "#base";
import type { KubeObject } from "#machinery";
import { describe, expect, test } from "vitest";
import { descendantFacts, type DescendantOptions } from "./descendant-facts.ts";
import { aMinuteAgo, merged, noon } from "./test-facts.ts";
import {
  aControlPlaneMachine,
  aMachine,
  aMachineDeployment,
  aMachinePool,
  aMachineSet,
  cluster,
  only,
  ownedByCluster,
} from "./test-objects.ts";

const noSources = { kind: "no-sources" } as const;
const options: DescendantOptions = { now: noon, machinePoolsRollOut: true };

/** The facts of some objects, which are always listed. */
function factsOf(some: Parameters<typeof only>[0], change: Partial<DescendantOptions> = {}) {
  const facts = descendantFacts(cluster, only(some), { ...options, ...change });
  if (facts.kind !== "listed") throw new Error("these objects can be listed");
  return facts;
}

test("a Cluster without descendants has nothing to merge", () => {
  expect(factsOf({})).toEqual({
    kind: "listed",
    rollingOut: noSources,
    scalingUp: noSources,
    scalingDown: noSources,
    workersAvailable: noSources,
    controlPlaneMachinesAvailable: noSources,
    controlPlaneMachinesReady: noSources,
    workerMachinesReady: noSources,
    controlPlaneMachinesUpToDate: noSources,
    workerMachinesUpToDate: noSources,
    remediating: noSources,
    unhealthyMachines: [],
    controlPlaneMachineHasNode: false,
  });
});

describe("rolling out", () => {
  const rollingOut = (message: string) => ({ conditions: [{ type: "RollingOut", message }] });

  test("takes the control plane, pools and deployments, and no sets", () => {
    const found = factsOf(
      {
        machineDeployments: [aMachineDeployment("md1", rollingOut("4"))],
        machinePools: [aMachinePool("mp1", rollingOut("5"))],
        machineSets: [aMachineSet("ms1", { ...rollingOut("6"), ...ownedByCluster })],
      },
      { controlPlane: aControlPlane([{ type: "RollingOut", status: "True", reason: "R", message: "3" }]) },
    );
    expect(found.rollingOut).toEqual(
      merged("True", "* FakeControlPlane cp1: 3\n* MachineDeployment md1: 4\n* MachinePool mp1: 5"),
    );
  });

  test("leaves pools out where that is asked for", () => {
    const pools = { machinePools: [aMachinePool("mp1", rollingOut("5"))] };
    expect(factsOf(pools, { machinePoolsRollOut: false }).rollingOut).toEqual(noSources);
  });

  test.each<[why: string, conditions: unknown]>([
    ["says nothing of it", [{ type: "Ready", status: "True" }]],
    ["says garbage", [{ type: "RollingOut", status: "True" }, { type: "Ready" }]],
    ["has no list", "garbage"],
  ])("leaves a control plane out that %s", (_, conditions) => {
    expect(factsOf({}, { controlPlane: aControlPlane(conditions) }).rollingOut).toEqual(noSources);
  });

  test("fails as a fact where a condition cannot be merged", () => {
    const deployment = aMachineDeployment("md1");
    const garbled = { ...deployment, status: { conditions: "garbage" } } as unknown as typeof deployment;
    expect(factsOf({ machineDeployments: [garbled] }).rollingOut).toMatchObject({ kind: "failed" });
  });
});

test("sets count for scaling where the Cluster owns them, in whatever version", () => {
  const scaling = { conditions: [{ type: "ScalingUp", message: "more" }] };
  const sets = [aMachineSet("md1-abc", scaling), aMachineSet("ms1", { ...scaling, ...ownedByCluster })];
  const { scalingUp, scalingDown } = factsOf({ machineSets: sets });
  expect(scalingUp).toEqual(merged("True", "* MachineSet ms1: more"));
  expect(scalingDown).toEqual(merged("Unknown", "* MachineSet ms1: Condition ScalingDown not yet reported"));
});

test("control plane Machines and workers are told apart, and those of pools left out", () => {
  const not = (type: string) => ({ conditions: [{ type, status: "False", message: "no" } as const] });
  const found = factsOf({
    machines: [
      aControlPlaneMachine("cp1", not("Ready")),
      aMachine("w1", not("UpToDate")),
      aMachine("pooled", { ...not("Ready"), labels: { "cluster.x-k8s.io/pool-name": "mp1" } }),
    ],
  });
  expect(found.controlPlaneMachinesReady).toEqual(merged("False", "* Machine cp1: no"));
  expect(found.workerMachinesReady).toEqual(merged("Unknown", "* Machine w1: Condition Ready not yet reported"));
  expect(found.workerMachinesUpToDate).toEqual(merged("False", "* Machine w1: no"));
  expect(found.controlPlaneMachinesAvailable.kind).toBe("merged");
});

describe("whether Machines are up to date", () => {
  const created = (time: string) => aMachine("w1", { creationTimestamp: parseTimestamp(time) });
  const silent = merged("Unknown", "* Machine w1: Condition UpToDate not yet reported");

  test.each([
    ["2025-01-15T11:59:49Z", silent, undefined],
    ["2025-01-15T11:59:50Z", noSources, "2025-01-15T12:00:01Z"],
    ["2025-01-15T12:00:00Z", noSources, "2025-01-15T12:00:11Z"],
  ])("is asked of those created at %s", (time, upToDate, settlesAt) => {
    const found = factsOf({ machines: [created(time)] });
    expect([found.workerMachinesUpToDate, found.settlesAt]).toEqual([upToDate, settlesAt]);
  });

  test("is asked again when the first of several is old enough", () => {
    const times = ["2025-01-15T11:59:58Z", "2025-01-15T11:59:55Z", "2025-01-15T11:59:59Z"];
    expect(factsOf({ machines: times.map(created) }).settlesAt).toBe("2025-01-15T12:00:06Z");
  });

  test("is not asked again of those that said it", () => {
    const machine = aMachine("w1", { creationTimestamp: noon, conditions: [{ type: "UpToDate" }] });
    expect(factsOf({ machines: [machine] })).toMatchObject({ workerMachinesUpToDate: merged("True") });
    expect(factsOf({ machines: [machine] }).settlesAt).toBeUndefined();
  });
});

test("Machines that failed their health check are named, and merged where they wait for remediation", () => {
  const sick = { type: "HealthCheckSucceeded", status: "False" } as const;
  const waiting = { type: "OwnerRemediated", status: "False", message: "waiting" } as const;
  const pool = { "cluster.x-k8s.io/pool-name": "mp1" };
  const machines = [
    aMachine("b", { conditions: [sick, waiting] }),
    aMachine("a", { conditions: [sick] }),
    aMachine("c", { conditions: [waiting] }),
    aMachine("d", { conditions: [sick, waiting], labels: pool }),
  ];
  expect(factsOf({ machines })).toMatchObject({
    unhealthyMachines: ["a", "b"],
    remediating: merged("False", "* Machine b: waiting"),
  });
});

test("a control plane Machine has a Node once it names one", () => {
  const at = (name: string) => ({ ...aControlPlaneMachine("cp1"), status: { nodeRef: { name } } });
  expect(factsOf({ machines: [at("n1")] }).controlPlaneMachineHasNode).toBe(true);
  expect(factsOf({ machines: [at("")] }).controlPlaneMachineHasNode).toBe(false);
  expect(factsOf({ machines: [{ ...aMachine("w1"), status: { nodeRef: { name: "n1" } } }] })).toMatchObject({
    controlPlaneMachineHasNode: false,
  });
});

function aControlPlane(conditions: unknown): KubeObject {
  const object = {
    apiVersion: "g/v1",
    kind: "FakeControlPlane",
    metadata: { name: "cp1", creationTimestamp: aMinuteAgo },
    status: { conditions },
  };
  return object;
}
