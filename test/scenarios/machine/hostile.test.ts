import { Machine } from "#api";
import { minutes, seconds } from "#base";
import { printYaml } from "#machinery";
import type { World } from "#testkit";
import { describe, expect, test } from "vitest";
import { aCluster, aMachine, anInfrastructure, machineWorld, TestMachine, withReadyNode } from "./machine-world.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;

// Doubling from 5 ms, failures alone bring 17 passes in 10 minutes; a loop would bring thousands.
const fewPasses = 40;

/** How often a Machine is looked at in ten minutes in which nothing happens. */
async function passesInTenMinutes(world: World, name = "m1"): Promise<number> {
  const before = world.passes("Machine", name).length;
  await world.advance(minutes(10));
  return world.passes("Machine", name).length - before;
}

describe("an infrastructure machine whose status is garbage", () => {
  test.for([
    [{ initialization: "done" }, "InternalError", ".status.initialization.provisioned"],
    [{ initialization: { provisioned: "yes" } }, "InternalError", ".status.initialization.provisioned"],
    [{ initialization: { provisioned: true }, addresses: 42 }, "InternalError", ".status.addresses"],
    [{ initialization: { provisioned: true }, addresses: [{ type: "Smoke" }] }, "InternalError", ".status.addresses"],
    [{ initialization: { provisioned: true }, failureDomain: {} }, "InternalError", ".status.failureDomain"],
    [
      { conditions: [{ type: "Ready", status: "Perhaps" }] },
      "InvalidConditionReported",
      "status for the Ready condition",
    ],
  ] as const)("%j is reported, and not asked for again and again", async ([status, reason, named], t) => {
    await using world = await machineWorld(t);
    await world.workload("c1");
    const infrastructure = { ...anInfrastructure("m1"), spec: { providerID: "test://1" }, status };
    await world.apply(aCluster("c1", world), infrastructure, aMachine("m1", "c1"));
    await world.settle();
    const said = world.condition("Machine", "m1", "InfrastructureReady");
    expect(said).toMatchObject({ status: "Unknown", reason });
    expect(said?.message).toContain(named);
    expect(await passesInTenMinutes(world)).toBeLessThan(fewPasses);

    await world.apply(anInfrastructure("m1", "test://1"));
    await world.settle();
    expect(world.condition("Machine", "m1", "InfrastructureReady")).toMatchObject({ status: "True" });
  });
});

test("two Machines of one Node both mirror it, and do not fight over it", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await world.advance(seconds(1));
  await world.apply(anInfrastructure("m2", "test://1"), aMachine("m2", "c1"));
  await world.settle();
  await workload.setNode("n1", { Ready: ["False", "kubelet is down"] });
  await world.settle();
  for (const name of ["m1", "m2"])
    expect(world.condition("Machine", name, "NodeReady")).toMatchObject({ status: "False", reason: "NotReady" });
  const before = await workload.client.get(Node, { name: "n1" });
  expect(before.metadata.annotations).toMatchObject({ "cluster.x-k8s.io/machine": "m1" });
  expect(await passesInTenMinutes(world, "m1")).toBeLessThan(3);
  expect(await passesInTenMinutes(world, "m2")).toBeLessThan(3);
  const after = await workload.client.get(Node, { name: "n1" });
  expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test.for([
  ["is no YAML", "{{{"],
  ["is no kubeconfig", printYaml({ apiVersion: "v1", kind: "List", items: [] })],
  ["is empty", ""],
] as const)("a kubeconfig that %s counts as a cluster that cannot be reached", async ([, text], t) => {
  await using world = await machineWorld(t);
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "c1-kubeconfig", labels: { "cluster.x-k8s.io/cluster-name": "c1" } },
    data: { value: Buffer.from(text).toString("base64") },
  };
  await world.apply(secret, aCluster("c1", world), anInfrastructure("m1", "test://1"), aMachine("m1", "c1"));
  await world.settle();
  expect(world.condition("Machine", "m1", "NodeReady")).toMatchObject({
    status: "Unknown",
    reason: "ConnectionDown",
    message: "Remote connection not established yet",
  });
  expect(await passesInTenMinutes(world)).toBeLessThan(fewPasses);
  expect(world.condition("Machine", "m1", "NodeReady")).toMatchObject({
    row: "connection-lost",
    status: "Unknown",
    reason: "ConnectionDown",
    message: "",
  });
});

test("a bootstrap kind that is not installed is named, and everything else goes on", async (t) => {
  await using world = await machineWorld(t);
  const workload = await world.workload("c1");
  await workload.addNode("n1", "test://1");
  const bootstrap = { configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "OtherConfig", name: "m1" } };
  await world.apply(
    aCluster("c1", world),
    anInfrastructure("m1", "test://1"),
    aMachine("m1", "c1", { spec: { bootstrap } }),
  );
  await world.settle();
  const said = world.condition("Machine", "m1", "BootstrapConfigReady");
  expect(said).toMatchObject({ row: "unreadable", status: "Unknown", reason: "InternalError" });
  expect(said?.message).toContain("otherconfigs.bootstrap.cluster.x-k8s.io");
  expect(world.condition("Machine", "m1", "NodeReady")).toMatchObject({ status: "True" });
  expect(await passesInTenMinutes(world)).toBeLessThan(fewPasses);
});

test("an infrastructure machine that is deleted by hand is missed, and does not come back", async (t) => {
  await using world = await withReadyNode(t);
  await world.delete(TestMachine, "m1");
  await world.settle();
  expect(world.condition("Machine", "m1", "InfrastructureReady")).toMatchObject({
    status: "False",
    reason: "ObjectDeleted",
    message: "TestMachine has been deleted while the Machine still exists",
  });
  expect(await passesInTenMinutes(world)).toBeLessThan(fewPasses);
});

test("a Node whose conditions carry no readable time is mirrored nevertheless", async (t) => {
  await using world = await withReadyNode(t);
  const { client } = await world.workload("c1");
  const conditions = [{ type: "Ready", status: "False", lastTransitionTime: null, message: "m", reason: "r" }];
  await client.patchStatus(Node, { name: "n1" }, { kind: "merge", patch: { status: { conditions } } });
  await world.settle();
  expect(world.condition("Machine", "m1", "NodeReady")).toMatchObject({ status: "False", message: "* Node.Ready: m" });
});

test("a Machine without a Cluster waits for it", async (t) => {
  await using world = await machineWorld(t);
  await world.apply(anInfrastructure("m1", "test://1"), aMachine("m1", "c1"));
  await world.settle();
  expect(await passesInTenMinutes(world)).toBeLessThan(fewPasses);
  const workload = await world.workload("c1");
  await workload.addNode("n1", "test://1");
  await world.apply(aCluster("c1", world));
  await world.advance(seconds(30));
  expect((await world.get(Machine, "m1")).status?.phase).toBe("Running");
});
