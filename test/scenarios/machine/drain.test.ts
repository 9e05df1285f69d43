import { Machine } from "#api";
import { minutes, seconds } from "#base";
import type { World } from "#testkit";
import { describe, expect, test } from "vitest";
import { addPod, endPod, setBudget, TestMachine, withReadyNode } from "./machine-world.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;
const Pod = { group: "", version: "v1", kind: "Pod" } as const;

function deleting(world: World) {
  const { row, status, reason, message } = world.condition("Machine", "m1", "Deleting") ?? {};
  return [row, status, reason, message];
}

async function isGone(world: World): Promise<boolean> {
  return (await world.find(Machine, "m1")) === undefined;
}

test("a PodDisruptionBudget blocks the drain, which says so, and then allows it", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await addPod(workload, "web", "n1");
  await setBudget(workload, "web", 0);
  const started = world.now;

  await world.delete(Machine, "m1");
  await world.settle();
  expect(deleting(world)).toEqual([
    "draining",
    "True",
    "DrainingNode",
    `Drain not completed yet (started at ${started}):\n` +
      "* Pod default/web: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently",
  ]);
  expect((await workload.client.get(Node, { name: "n1" }))["spec"]).toMatchObject({ unschedulable: true });
  expect(world.condition("Machine", "m1", "Ready")).toMatchObject({
    status: "False",
    message: expect.stringContaining("* Deleting: Machine deletion in progress, stage: DrainingNode"),
  });

  await setBudget(workload, "web", 1);
  await world.advance(seconds(20));
  expect(deleting(world)).toEqual([
    "draining",
    "True",
    "DrainingNode",
    `Drain not completed yet (started at ${started}):\n* Pod default/web: deletionTimestamp set, but still not removed from the Node`,
  ]);
  expect(await world.find(TestMachine, "m1")).not.toHaveProperty("metadata.deletionTimestamp");

  await endPod(workload, "web");
  await world.advance(seconds(20));
  expect(await isGone(world)).toBe(true);
  expect(await world.find(TestMachine, "m1")).toBeUndefined();
  expect(await workload.client.find(Node, { name: "n1" })).toBeUndefined();
});

test("a drain that takes long says in Ready what it waits for", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await addPod(workload, "web", "n1");
  await setBudget(workload, "web", 0);
  await world.delete(Machine, "m1");
  await world.advance(minutes(16));
  expect(world.condition("Machine", "m1", "Ready")?.message).toContain(
    "* Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode, delay likely due to PodDisruptionBudgets",
  );
});

test("Pods of a Node that does not answer are not waited for", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await addPod(workload, "web", "n1");
  await workload.setNode("n1", { Ready: ["Unknown", "kubelet is silent"] });
  await world.settle();
  await world.delete(Machine, "m1");
  await world.settle();
  expect(deleting(world)[2]).toBe("DrainingNode");

  await world.advance(seconds(20));
  expect(await isGone(world)).toBe(true);
  expect(await workload.client.find(Pod, { namespace: "default", name: "web" })).toBeDefined();
});

describe("time is up", () => {
  test("a drain that may take a minute is given up after it", async (t) => {
    await using world = await withReadyNode(t, { spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } });
    const workload = await world.workload("c1");
    await addPod(workload, "web", "n1");
    await setBudget(workload, "web", 0);
    await world.delete(Machine, "m1");
    await world.advance(seconds(59));
    expect(deleting(world)[2]).toBe("DrainingNode");
    await world.advance(seconds(20));
    expect(await isGone(world)).toBe(true);
  });

  test("volumes are waited for, and named, for as long as they may take", async (t) => {
    await using world = await withReadyNode(t, { spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 60 } } });
    const workload = await world.workload("c1");
    const volumesAttached = [{ name: "kubernetes.io/csi/disk.test^v1", devicePath: "" }];
    const patch = { status: { volumesAttached } };
    await workload.client.patchStatus(Node, { name: "n1" }, { kind: "merge", patch });
    const started = world.now;
    await world.delete(Machine, "m1");
    await world.advance(seconds(59));
    expect(deleting(world)).toEqual([
      "volumes",
      "True",
      "WaitingForVolumeDetach",
      `Waiting for Node volumes to be detached (started at ${started})\n` +
        "* Node with .status.volumesAttached entries not matching a PersistentVolume: kubernetes.io/csi/disk.test^v1",
    ]);
    await world.advance(seconds(20));
    expect(await isGone(world)).toBe(true);
  });

  test("volumes that are detached are not waited for", async (t) => {
    await using world = await withReadyNode(t);
    const { client } = await world.workload("c1");
    const volumes = (volumesAttached: readonly object[]) =>
      client.patchStatus(Node, { name: "n1" }, { kind: "merge", patch: { status: { volumesAttached } } as never });
    await volumes([{ name: "kubernetes.io/csi/disk.test^v1", devicePath: "" }]);
    await world.delete(Machine, "m1");
    await world.settle();
    expect(deleting(world)[2]).toBe("WaitingForVolumeDetach");
    await volumes([]);
    await world.advance(seconds(20));
    expect(await isGone(world)).toBe(true);
  });

  test("a Node that cannot be deleted is left behind after the time that it may take", async (t) => {
    const annotations = {
      "machine.cluster.x-k8s.io/exclude-node-draining": "",
      "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach": "",
    };
    const deletion = { nodeDeletionTimeoutSeconds: 300 };
    await using world = await withReadyNode(t, { metadata: { annotations }, spec: { deletion } });
    const workload = await world.workload("c1");
    await workload.stop();
    await world.advance(minutes(2));
    await world.delete(Machine, "m1");
    await world.advance(minutes(2));
    expect(deleting(world)).toEqual([
      "node",
      "True",
      "DeletingNode",
      "Error deleting Node n1: error getting client: connection to the workload cluster is down",
    ]);
    expect(await world.find(TestMachine, "m1")).toBeUndefined();
    await world.advance(minutes(7));
    expect(await isGone(world)).toBe(true);
    expect(await workload.client.find(Node, { name: "n1" })).toBeDefined();
  });
});

test("a Node of a cluster that is away cannot be drained, and the Machine says why", async (t) => {
  await using world = await withReadyNode(t);
  const workload = await world.workload("c1");
  await workload.stop();
  await world.advance(minutes(2));
  await world.delete(Machine, "m1");
  await world.settle();
  expect(deleting(world)).toEqual([
    "draining",
    "True",
    "DrainingNode",
    "Error draining Node n1: error getting client: connection to the workload cluster is down",
  ]);
});
