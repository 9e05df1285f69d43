import { Machine } from "#api";
import { between, milliseconds, minutes, seconds } from "#base";
import type { World } from "#testkit";
import { describe, expect, test } from "vitest";
import { aCluster, aMachine, anInfrastructure, machineWorld, withReadyNode } from "./machine-world.ts";

/** The rows of NodeReady that have decided, one after the other. */
function rowsOf(world: World, name = "m1"): readonly string[] {
  return world
    .passes("Machine", name)
    .flatMap(({ verdicts }) => verdicts.filter(({ table }) => table === "Machine.NodeReady").map(({ row }) => row));
}

function nodeReady(world: World, name = "m1") {
  const { status, reason, message, row } = world.condition("Machine", name, "NodeReady") ?? {};
  return [row, status, reason, message];
}

test("a Machine waits for its Cluster, for the provider and for its Node, and then mirrors it", async (t) => {
  await using world = await machineWorld(t);
  const workload = await world.workload("c1");
  await world.apply(
    aCluster("c1", { now: world.now, provisioned: false, initialized: false }),
    anInfrastructure("m1"),
    aMachine("m1", "c1"),
  );
  await world.settle();
  expect(nodeReady(world)).toEqual([
    "waiting-for-infrastructure",
    "Unknown",
    "InspectionFailed",
    "Waiting for Cluster status.initialization.infrastructureProvisioned to be true",
  ]);

  await world.apply(aCluster("c1", { now: world.now, initialized: false }));
  await world.settle();
  expect(nodeReady(world)).toEqual([
    "waiting-for-control-plane",
    "Unknown",
    "InspectionFailed",
    "Waiting for Cluster control plane to be initialized",
  ]);

  await world.apply(aCluster("c1", world));
  await world.settle();
  expect(nodeReady(world)).toEqual([
    "waiting-for-provider-id",
    "Unknown",
    "InspectionFailed",
    "Waiting for TestMachine to report spec.providerID",
  ]);

  await world.apply(anInfrastructure("m1", "test://1"));
  await world.settle();
  expect(nodeReady(world)).toEqual([
    "waiting-for-node",
    "Unknown",
    "InspectionFailed",
    "Waiting for a Node with spec.providerID test://1 to exist",
  ]);

  await workload.addNode("n1", "test://1");
  await world.settle();
  expect(nodeReady(world)).toEqual(["ready", "True", "Ready", ""]);
  const { status } = await world.get(Machine, "m1");
  expect([status?.nodeRef, status?.phase]).toEqual([{ name: "n1" }, "Running"]);

  await workload.setNode("n1", { Ready: ["False", "kubelet is down"] });
  await world.settle();
  expect(nodeReady(world)).toEqual(["not-ready", "False", "NotReady", "* Node.Ready: kubelet is down"]);

  await workload.setNode("n1", { Ready: ["Unknown", "kubelet is silent"] });
  await world.settle();
  expect(nodeReady(world)).toEqual(["ready-unknown", "Unknown", "Unknown", "* Node.Ready: kubelet is silent"]);

  await workload.client.patchStatus(
    { group: "", version: "v1", kind: "Node" },
    { name: "n1" },
    { kind: "merge", patch: { status: { conditions: [] } } },
  );
  await world.settle();
  expect(nodeReady(world)).toEqual(["silent", "Unknown", "Unknown", "* Node.Ready: Condition not yet reported"]);

  await workload.deleteNode("n1");
  await world.settle();
  expect(nodeReady(world)).toEqual([
    "deleted-under-machine",
    "False",
    "Deleted",
    "Node n1 has been deleted while the Machine still exists",
  ]);
});

test("while the workload cluster cannot be reached the last known status stands, until the grace period is over", async (t) => {
  await using world = await withReadyNode(t);
  expect(nodeReady(world)).toEqual(["ready", "True", "Ready", ""]);
  const workload = await world.workload("c1");
  const before = world.now;

  await workload.stop();
  await world.advance(minutes(2));
  expect(nodeReady(world)).toEqual(["disconnected-keep", "True", "Ready", ""]);

  await world.advance(minutes(4));
  const lost = nodeReady(world);
  expect(lost.slice(0, 3)).toEqual(["connection-lost", "Unknown", "ConnectionDown"]);
  expect(String(lost[3])).toMatch(/^Last successful probe at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(String(lost[3]).slice("Last successful probe at ".length) >= before).toBe(true);

  await workload.resume();
  await world.advance(minutes(1));
  expect(nodeReady(world)).toEqual(["ready", "True", "Ready", ""]);
});

// Neither its backoff nor the next attempt to connect matters.
describe("a Machine is judged again in the second in which its grace period is over", () => {
  test.for([
    { begins: "which begins with the last good probe", later: 0 },
    { begins: "or with the initialization of the control plane, if that came later", later: 7 },
  ])("$begins", async ({ later }, t) => {
    await using world = await withReadyNode(t);
    const connections = await world.clusterCache();
    const workload = await world.workload("c1");
    await workload.stop();
    await world.advance(seconds(later));
    if (later > 0) await world.apply(aCluster("c1", world));
    const begins = world.now;
    // Five probes have failed, and passes have failed so often that the next one is minutes away.
    await world.advance(minutes(4));
    const { lastProbeSuccess = world.now } = connections.healthOf({ namespace: world.namespace, name: "c1" });
    await world.advance(milliseconds(minutes(5) - between(begins, world.now)));
    expect(nodeReady(world)).toEqual(["disconnected-keep", "True", "Ready", ""]);
    // Grace is over when more than it has passed, and times are whole seconds.
    await world.advance(seconds(1));
    expect(nodeReady(world)).toEqual([
      "connection-lost",
      "Unknown",
      "ConnectionDown",
      `Last successful probe at ${lastProbeSuccess}`,
    ]);
  });
});

test("a cluster that was never reached is waited for", async (t) => {
  await using world = await machineWorld(t);
  await world.apply(aCluster("c1", world), anInfrastructure("m1", "test://1"), aMachine("m1", "c1"));
  await world.settle();
  expect(rowsOf(world)[0]).toBe("never-connected");
  await world.advance(seconds(40));
  expect(nodeReady(world)).toEqual([
    "never-connected-keep",
    "Unknown",
    "ConnectionDown",
    "Remote connection not established yet",
  ]);
});

test("a Machine that comes while its cluster is away says when it was last seen", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await workload.stop();
  await world.advance(minutes(2));
  await world.apply(anInfrastructure("m2", "test://2"), aMachine("m2", "c1"));
  await world.settle();
  expect(rowsOf(world, "m2")[0]).toBe("disconnected");
  const [, status, reason, message] = nodeReady(world, "m2");
  expect([status, reason]).toEqual(["Unknown", "ConnectionDown"]);
  expect(message).toMatch(/^Last successful probe at /);
});

test("two Nodes with the same provider id are an error", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await workload.addNode("n2", "test://1");
  await world.advance(seconds(1));
  expect(nodeReady(world)).toEqual([
    "lookup-failed",
    "Unknown",
    "InternalError",
    "Please check controller logs for errors",
  ]);
});

test("a Machine that goes says what became of its Node", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  const held = { finalizers: ["test.capstan.dev/hold"] };
  await world.apply(
    aMachine("m1", "c1", { metadata: held }),
    anInfrastructure("m2", "test://2"),
    aMachine("m2", "c1", { metadata: held }),
  );
  await world.settle();
  await workload.deleteNode("n1");
  await world.delete(Machine, "m1");
  await world.delete(Machine, "m2");
  await world.settle();
  expect(nodeReady(world)).toEqual(["deleted-with-machine", "False", "Deleted", "Node n1 has been deleted"]);
  expect(nodeReady(world, "m2")).toEqual(["never-existed", "Unknown", "DoesNotExist", "Node does not exist"]);
});
