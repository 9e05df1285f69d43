import { Cluster, defaultFeatureGates, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { minutes, seconds } from "#base";
import type { AnyKind } from "#client";
import type { World } from "#testkit";
import { expect, test } from "vitest";
import {
  aClass,
  aCluster,
  aControlPlane,
  aControlPlaneMachine,
  aControlPlaneSaying,
  aGroup,
  aMachine,
  anInfrastructure,
  hold,
  ownedBy,
  TestCluster,
  TestControlPlane,
} from "./cluster-objects.ts";
import { allTold, clusterWorld, told } from "./cluster-world.ts";

const held = { finalizers: [hold] };

test("workers go first, then the control plane, then the infrastructure", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", {}, held), anInfrastructure("c1", held), aControlPlaneSaying("c1", held));
  await world.settle();
  const owned = { ...held, ownerReferences: ownedBy(await world.get(Cluster, "c1")) };
  await world.apply(
    aGroup(MachineDeployment, "md2", "c1", owned),
    aGroup(MachineDeployment, "md1", "c1", owned),
    aGroup(MachineSet, "ms1", "c1", owned),
    aGroup(MachinePool, "mp1", "c1", owned),
    aControlPlaneMachine("cp1", "c1", { ...owned, conditions: [{ type: "UpToDate" }] }),
    ...["w1", "w2", "w3", "w4", "w5", "w6"].map((name) => aMachine(name, "c1", owned)),
    // Somebody else's: it is waited for, but not deleted.
    aGroup(MachineSet, "md1-abc", "c1", held),
  );
  await world.settle();
  expect(await told(world, "Deleting")).toEqual(["not-deleting", "False", "NotDeleting", ""]);

  await world.delete(Cluster, "c1");
  await world.settle();
  const all = [
    "* MachineDeployments: md1, md2",
    "* MachineSets: md1-abc, ms1",
    "* MachinePools: mp1",
    "* Worker Machines: w1, w2, w3, w4, w5, ... (1 more)",
  ].join("\n");
  expect(await told(world, "Deleting")).toEqual(["waiting-for-workers", "True", "WaitingForWorkersDeletion", all]);
  expect((await world.get(Cluster, "c1")).status?.phase).toBe("Deleting");
  const available = `* Deleting:\n${all.replaceAll(/^/gm, "  ")}`;
  expect((await told(world, "Available"))[3]).toContain(available);
  expect(world.passes("Cluster", "c1").at(-1)?.next).toMatchObject({ kind: "requeue", after: seconds(5) });
  expect(await leaving(world, MachineDeployment, "md1", "md2")).toEqual([true, true]);
  expect(await leaving(world, MachineSet, "ms1", "md1-abc")).toEqual([true, false]);
  expect(await leaving(world, MachinePool, "mp1")).toEqual([true]);
  expect(await leaving(world, Machine, "w1", "w6", "cp1")).toEqual([true, true, false]);
  expect(await leaving(world, TestControlPlane, "c1")).toEqual([false]);

  await letGo(world, MachineDeployment, "md1", "md2");
  await letGo(world, MachineSet, "ms1", "md1-abc");
  await world.delete(MachineSet, "md1-abc");
  await letGo(world, MachinePool, "mp1");
  await letGo(world, Machine, "w1", "w2", "w3", "w4", "w5");
  await world.settle();
  const last = "* Worker Machines: w6";
  expect(await told(world, "Deleting")).toEqual(["waiting-for-workers", "True", "WaitingForWorkersDeletion", last]);

  // The control plane's own Machines are its business.
  await letGo(world, Machine, "w6");
  await world.settle();
  const plane = "Waiting for TestControlPlane to be deleted";
  expect(await told(world, "Deleting")).toEqual([
    "waiting-for-control-plane",
    "True",
    "WaitingForControlPlaneDeletion",
    plane,
  ]);
  expect(world.passes("Cluster", "c1").at(-1)?.next.kind).toBe("await-change");
  expect(await leaving(world, TestControlPlane, "c1")).toEqual([true]);
  expect(await leaving(world, TestCluster, "c1")).toEqual([false]);

  await letGo(world, TestControlPlane, "c1");
  await world.settle();
  const infrastructure = "Waiting for TestCluster to be deleted";
  const gone = ["deleted-with-owner", "False", "ObjectDeleted", "TestControlPlane has been deleted"];
  expect(await allTold(world, "Deleting", "ControlPlaneAvailable")).toEqual({
    Deleting: ["waiting-for-infrastructure", "True", "WaitingForInfrastructureDeletion", infrastructure],
    ControlPlaneAvailable: gone,
  });

  await letGo(world, TestCluster, "c1");
  await world.settle();
  expect(await allTold(world, "Deleting", "ControlPlaneAvailable", "InfrastructureReady")).toEqual({
    Deleting: ["completed", "True", "DeletionCompleted", "Deletion completed"],
    ControlPlaneAvailable: gone,
    InfrastructureReady: ["deleted-with-owner", "False", "ObjectDeleted", "TestCluster has been deleted"],
  });
  expect((await world.get(Cluster, "c1")).metadata.finalizers).toEqual([hold]);

  // What was said last stands while somebody else still holds the Cluster.
  const writes = world.writes("Cluster", "c1").length;
  await world.advance(minutes(11));
  expect(world.writes("Cluster", "c1")).toHaveLength(writes);
  await letGo(world, Cluster, "c1");
  await world.settle();
  expect(await world.find(Cluster, "c1")).toBeUndefined();
});

test("Machines that are a control plane by themselves go after the workers", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", { controlPlaneRef: null }), anInfrastructure("c1"));
  await world.settle();
  const owned = { ...held, ownerReferences: ownedBy(await world.get(Cluster, "c1")) };
  await world.apply(aControlPlaneMachine("cp1", "c1", owned), aMachine("w1", "c1", owned));
  await world.delete(Cluster, "c1");
  await world.settle();
  const both = "* Control plane Machines: cp1\n* Worker Machines: w1";
  expect(await told(world, "Deleting")).toEqual(["waiting-for-workers", "True", "WaitingForWorkersDeletion", both]);
  expect(await leaving(world, Machine, "w1", "cp1")).toEqual([true, false]);

  await letGo(world, Machine, "w1");
  await world.settle();
  const plane = "* Control plane Machines: cp1";
  expect(await told(world, "Deleting")).toEqual(["waiting-for-workers", "True", "WaitingForWorkersDeletion", plane]);
  expect(await leaving(world, Machine, "cp1")).toEqual([true]);

  await letGo(world, Machine, "cp1");
  await world.settle();
  expect(await world.find(Cluster, "c1")).toBeUndefined();
  expect(await world.find(TestCluster, "c1")).toBeUndefined();
});

test("a hook holds the deletion back until it lets go", async (t) => {
  const features = { ...defaultFeatureGates, ClusterTopology: true, RuntimeSDK: true };
  await using world = await clusterWorld(t, { features });
  const topology = { classRef: { name: "class" }, version: "v1.34.0" };
  await world.apply(aClass("class"), anInfrastructure("c1"), aControlPlane("c1"), aCluster("c1", { topology }));
  await world.settle();
  await world.delete(Cluster, "c1");
  await world.settle();
  const waiting = "Waiting for BeforeClusterDelete hook";
  expect(await told(world, "Deleting")).toEqual(["waiting-for-hook", "True", "WaitingForBeforeDeleteHook", waiting]);
  expect(await leaving(world, TestControlPlane, "c1")).toEqual([false]);
  const passes = world.passes("Cluster", "c1").length;
  await world.advance(minutes(5));
  expect(world.passes("Cluster", "c1")).toHaveLength(passes);

  const patch = { metadata: { annotations: { "runtime.cluster.x-k8s.io/ok-to-delete": "" } } };
  await world.client.patch(Cluster, { namespace: world.namespace, name: "c1" }, { kind: "merge", patch });
  await world.settle();
  expect(await world.find(Cluster, "c1")).toBeUndefined();
});

test("what belongs to somebody else is not deleted, and the error is told", async (t) => {
  await using world = await clusterWorld(t);
  const infrastructureRef = { apiGroup: TestCluster.group, kind: "TestCluster", name: "shared" };
  const spec = { infrastructureRef, controlPlaneRef: null };
  await world.apply(anInfrastructure("shared"), aCluster("c0", spec));
  await world.settle();
  await world.apply(aCluster("c1", spec));
  await world.settle();
  await world.delete(Cluster, "c1");
  await world.settle();
  const whose = `Object ${world.namespace}/shared is already owned by another Cluster controller c0`;
  expect(await told(world, "Deleting")).toEqual(["failed", "True", "InternalError", whose]);
  expect(world.passes("Cluster", "c1").at(-1)?.next.kind).toBe("retry");
  expect(await leaving(world, TestCluster, "shared")).toEqual([false]);
});

test("a Cluster goes whose provider objects never came to be", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", {}, held));
  await world.settle();
  await world.delete(Cluster, "c1");
  await world.settle();
  expect(await allTold(world, "InfrastructureReady", "ControlPlaneAvailable", "ControlPlaneInitialized")).toEqual({
    InfrastructureReady: ["does-not-exist", "False", "ObjectDoesNotExist", "TestCluster does not exist"],
    ControlPlaneAvailable: ["does-not-exist", "False", "ObjectDoesNotExist", "TestControlPlane does not exist"],
    ControlPlaneInitialized: ["does-not-exist", "Unknown", "ObjectDoesNotExist", "TestControlPlane does not exist"],
  });
  expect((await world.get(Cluster, "c1")).metadata.finalizers).toEqual([hold]);
});

async function leaving(world: World, kind: AnyKind, ...names: readonly string[]): Promise<readonly boolean[]> {
  const found = await Promise.all(names.map((name) => world.get(kind, name)));
  return found.map(({ metadata }) => metadata.deletionTimestamp !== undefined);
}

async function letGo(world: World, kind: AnyKind, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const patch = { metadata: { finalizers: null } };
    await world.client.patch(kind, { namespace: world.namespace, name }, { kind: "merge", patch });
  }
}
