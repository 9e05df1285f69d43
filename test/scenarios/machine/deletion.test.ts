import { Cluster, Machine } from "#api";
import { minutes } from "#base";
import type { World } from "#testkit";
import { expect, test } from "vitest";
import {
  aCluster,
  aConfig,
  addPod,
  aMachine,
  anInfrastructure,
  machineWorld,
  TestConfig,
  TestMachine,
  withReadyNode,
} from "./machine-world.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;
const held = { finalizers: ["test.capstan.dev/hold"] };

function deleting(world: World) {
  const { row, status, reason, message } = world.condition("Machine", "m1", "Deleting") ?? {};
  return [row, status, reason, message];
}

async function annotate(world: World, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  const key = { namespace: world.namespace, name: "m1" };
  await world.client.patch(Machine, key, { kind: "merge", patch: { metadata: { annotations } } });
  await world.settle();
}

async function letGo(world: World, kind: typeof TestMachine): Promise<void> {
  const key = { namespace: world.namespace, name: "m1" };
  const patch = { metadata: { finalizers: null } };
  await world.client.patch(kind, key, { kind: "merge", patch });
  await world.settle();
}

test("hooks are waited for, before the drain and before the end, and nobody asks for them again and again", async (t) => {
  const preDrain = "pre-drain.delete.hook.machine.cluster.x-k8s.io";
  const preTerminate = "pre-terminate.delete.hook.machine.cluster.x-k8s.io";
  const annotations = { [`${preDrain}/b`]: "", [`${preDrain}/a`]: "", [`${preTerminate}/c`]: "" };
  await using world = await withReadyNode(t, { metadata: { annotations } });
  const workload = await world.workload("c1");
  await world.delete(Machine, "m1");
  await world.settle();
  expect(deleting(world)).toEqual([
    "pre-drain-hooks",
    "True",
    "WaitingForPreDrainHook",
    `Waiting for pre-drain hooks to succeed (hooks: ${preDrain}/a,${preDrain}/b)`,
  ]);
  expect((await workload.client.get(Node, { name: "n1" }))["spec"]).not.toHaveProperty("unschedulable");
  const before = world.passes("Machine", "m1").length;
  await world.advance(minutes(5));
  expect(world.passes("Machine", "m1")).toHaveLength(before);

  await annotate(world, { [`${preDrain}/a`]: null, [`${preDrain}/b`]: null });
  expect(deleting(world)).toEqual([
    "pre-terminate-hooks",
    "True",
    "WaitingForPreTerminateHook",
    `Waiting for pre-terminate hooks to succeed (hooks: ${preTerminate}/c)`,
  ]);
  expect((await workload.client.get(Node, { name: "n1" }))["spec"]).toMatchObject({ unschedulable: true });
  expect((await world.get(TestMachine, "m1")).metadata.deletionTimestamp).toBeUndefined();

  await annotate(world, { [`${preTerminate}/c`]: null });
  expect(await world.find(Machine, "m1")).toBeUndefined();
});

test("infrastructure goes first, then the bootstrap config, then the Node, then the Machine", async (t) => {
  await using world = await machineWorld(t);
  const workload = await world.workload("c1");
  await workload.addNode("n0", "test://0");
  await workload.addNode("n1", "test://1");
  const bootstrap = { configRef: { apiGroup: TestConfig.group, kind: "TestConfig", name: "m1" } };
  const [infrastructure, config] = [anInfrastructure("m1", "test://1"), aConfig("m1")];
  await world.apply(
    aCluster("c1", world),
    anInfrastructure("cp", "test://0"),
    aMachine("cp", "c1", { metadata: { labels: { "cluster.x-k8s.io/control-plane": "" } } }),
    { ...infrastructure, metadata: { ...infrastructure.metadata, ...held } },
    { ...config, metadata: { ...config.metadata, ...held } },
    aMachine("m1", "c1", { spec: { bootstrap } }),
  );
  await world.settle();
  const isAsked = async (kind: typeof TestMachine) =>
    (await world.get(kind, "m1")).metadata.deletionTimestamp !== undefined;
  const hasNode = async () => (await workload.client.find(Node, { name: "n1" })) !== undefined;
  expect((await world.get(Machine, "m1")).spec.bootstrap.dataSecretName).toBe("data");

  await world.delete(Machine, "m1");
  await world.settle();
  expect(deleting(world)).toEqual([
    "infrastructure",
    "True",
    "WaitingForInfrastructureDeletion",
    "Waiting for TestMachine to be deleted",
  ]);
  expect([await isAsked(TestMachine), await isAsked(TestConfig), await hasNode()]).toEqual([true, false, true]);

  await letGo(world, TestMachine);
  expect(deleting(world)).toEqual([
    "bootstrap",
    "True",
    "WaitingForBootstrapDeletion",
    "Waiting for TestConfig to be deleted",
  ]);
  expect(world.condition("Machine", "m1", "InfrastructureReady")).toMatchObject({
    status: "False",
    reason: "ObjectDeleted",
    message: "TestMachine has been deleted",
  });
  expect([await isAsked(TestConfig), await hasNode()]).toEqual([true, true]);

  await letGo(world, TestConfig);
  expect(await hasNode()).toBe(false);
  expect(await world.find(Machine, "m1")).toBeUndefined();
  const [last] = world.writes("Machine", "m1").slice(-1);
  expect(last).toEqual({ kind: "changed", fields: ["metadata.finalizers"] });
});

test("while its Cluster is being deleted, nobody drains or deletes the Node", async (t) => {
  await using world = await withReadyNode(t, {
    metadata: { annotations: { "pre-drain.delete.hook.machine.cluster.x-k8s.io/a": "" } },
  });
  const workload = await world.workload("c1");
  await addPod(workload, "web", "n1");
  const cluster = aCluster("c1", world);
  await world.apply({ ...cluster, metadata: { ...cluster.metadata, ...held } });
  await world.delete(Cluster, "c1");
  await world.delete(Machine, "m1");
  await world.settle();
  expect(await world.find(Machine, "m1")).toBeUndefined();
  expect(await world.find(TestMachine, "m1")).toBeUndefined();
  expect((await workload.client.get(Node, { name: "n1" }))["spec"]).not.toHaveProperty("unschedulable");
});

test("the last control plane Machine leaves its Node alone", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await world.delete(Machine, "cp");
  await world.settle();
  expect(await world.find(Machine, "cp")).toBeUndefined();
  expect(await workload.client.find(Node, { name: "n0" })).toBeDefined();
});

test("a Machine that is deleted before its Node was seen still takes the Node along", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await world.apply(
    anInfrastructure("m2", "test://2"),
    aMachine("m2", "c1", {
      metadata: { annotations: { "cluster.x-k8s.io/paused": "" } },
      spec: { providerID: "test://2" },
    }),
  );
  const key = { namespace: world.namespace, name: "m2" };
  await world.settle();
  await workload.addNode("n2", "test://2");
  await world.delete(Machine, "m2");
  await world.settle();
  const unpaused = { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } };
  await world.client.patch(Machine, key, { kind: "merge", patch: unpaused });
  await world.settle();
  expect(await world.find(Machine, "m2")).toBeUndefined();
  expect(await workload.client.find(Node, { name: "n2" })).toBeUndefined();
});
