import { Machine } from "#api";
import { seconds } from "#base";
import type { KubeObject } from "#machinery";
import type { World } from "#testkit";
import { expect, test } from "vitest";
import {
  aCluster,
  aConfig,
  aMachine,
  anInfrastructure,
  machineWorld,
  TestConfig,
  withReadyNode,
} from "./machine-world.ts";

const bootstrap = { configRef: { apiGroup: TestConfig.group, kind: "TestConfig", name: "m1" } };

function seen(world: World, type: string) {
  const { row, status, reason, message } = world.condition("Machine", "m1", type) ?? {};
  return [row, status, reason, message];
}

/** A provider's object that reports a condition. */
function reporting(object: KubeObject, condition: object, initialization = {}): KubeObject {
  const conditions = [{ type: "Ready", lastTransitionTime: "2025-01-15T12:00:00Z", ...condition }];
  return Object.assign({}, object, { status: { initialization, conditions } });
}

test("a Machine says what its bootstrap config says, from the time when there is none", async (t) => {
  await using world = await machineWorld(t);
  await world.apply(aCluster("c1", world), anInfrastructure("m1"), aMachine("m1", "c1", { spec: { bootstrap } }));
  await world.settle();
  expect(seen(world, "BootstrapConfigReady")).toEqual([
    "does-not-exist",
    "False",
    "ObjectDoesNotExist",
    "TestConfig does not exist",
  ]);

  const { status: _, ...config } = aConfig("m1");
  await world.apply(config);
  await world.advance(seconds(30));
  expect(seen(world, "BootstrapConfigReady")).toEqual([
    "not-created",
    "False",
    "NotReady",
    "TestConfig status.initialization.dataSecretCreated is false",
  ]);

  await world.apply(reporting(config, { status: "False", reason: "Writing", message: "the script is being written" }));
  await world.settle();
  expect(seen(world, "BootstrapConfigReady")).toEqual(["reported", "False", "Writing", "the script is being written"]);

  await world.apply(reporting(config, { status: "Perhaps", reason: "Writing", message: "" }));
  await world.settle();
  const [row, status, reason] = seen(world, "BootstrapConfigReady");
  expect([row, status, reason]).toEqual(["invalid", "Unknown", "InvalidConditionReported"]);

  await world.apply(aConfig("m1"));
  await world.settle();
  expect(seen(world, "BootstrapConfigReady")).toEqual(["created", "True", "Ready", ""]);
});

test("a Machine says what its infrastructure says", async (t) => {
  await using world = await withReadyNode(t);
  const broken = { status: "False", reason: "DiskFailed", message: "the disk is broken" };
  await world.apply(reporting(anInfrastructure("m1", "test://1"), broken, { provisioned: true }));
  await world.settle();
  expect(seen(world, "InfrastructureReady")).toEqual(["reported", "False", "DiskFailed", "the disk is broken"]);
});

test("a Machine is available once it was ready for minReadySeconds", async (t) => {
  await using world = await withReadyNode(t, { spec: { minReadySeconds: 60 } });
  expect(seen(world, "Available")).toEqual(["waiting", "False", "WaitingForMinReadySeconds", ""]);
  await world.advance(seconds(60));
  expect(seen(world, "Available")).toEqual(["available", "True", "Available", ""]);
});

test("a Machine with a gate that names Ready itself cannot be summed up, and says so", async (t) => {
  await using world = await withReadyNode(t, { spec: { readinessGates: [{ conditionType: "Ready" }] } });
  const [row, status, reason] = seen(world, "Ready");
  expect([row, status, reason]).toEqual(["summary-failed", "Unknown", "InternalError"]);
});

test("a Machine whose infrastructure cannot be asked to go says so while it waits", async (t) => {
  await using world = await withReadyNode(t);
  await world.apply(anInfrastructure("odd"), aMachine("odd", "c1", { spec: nobodysInfrastructure }));
  await world.settle();
  await world.delete(Machine, "odd");
  await world.settle();
  const { row, status, reason } = world.condition("Machine", "odd", "Deleting") ?? {};
  expect([row, status, reason]).toEqual(["failed", "True", "InternalError"]);
});

const nobodysInfrastructure = {
  infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "NobodysMachine", name: "odd" },
};
