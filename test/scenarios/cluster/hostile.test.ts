import { Cluster, Machine, MachineSet } from "#api";
import { minutes } from "#base";
import { definitionsInMemory } from "#contract";
import { kindOf } from "#machinery";
import type { World } from "#testkit";
import { describe, expect, test } from "vitest";
import {
  aCluster,
  aControlPlane,
  aControlPlaneSaying,
  aMachine,
  anInfrastructure,
  TestControlPlane,
} from "./cluster-objects.ts";
import { allTold, clusterWorld, told } from "./cluster-world.ts";

const initialized = ["initialized", "True", "Available", ""];

describe("a control plane whose conditions are garbage", () => {
  test.for<[why: string, conditions: unknown, available: readonly string[]]>([
    ["has no list of them", "garbage", initialized],
    ["has a list of other things", [1, null, "x"], initialized],
    ["leaves out a type", [{ status: "True" }], invalid("type must be set for all conditions")],
    ["leaves out a status", [{ type: "Available" }], invalid("status must be set for the Available condition")],
    [
      "has a status of its own",
      [{ type: "RollingOut", status: "Perhaps" }],
      invalid("status for the RollingOut condition must be one of True, False, Unknown"),
    ],
  ])("%s: that is told, and no pass chases another", async ([, conditions, available], t) => {
    await using world = await clusterWorld(t);
    await world.workload("c1");
    const status = { initialization: { controlPlaneInitialized: true }, conditions };
    await world.apply(aControlPlaneSaying("c1", { status }), anInfrastructure("c1"), aCluster("c1"));
    await world.settle();
    expect(await allTold(world, "ControlPlaneAvailable", "RollingOut", "ScalingUp")).toEqual({
      ControlPlaneAvailable: available,
      RollingOut: ["no-sources", "False", "NotRollingOut", ""],
      ScalingUp: ["no-sources", "False", "NotScalingUp", ""],
    });
    // All Clusters are shown again once in that time.
    expect(await passesIn(world, 10)).toBeLessThanOrEqual(1);
  });
});

describe("what comes again however often it is tried", () => {
  // Pauses double from 5 milliseconds on: 17 tries in ten minutes, and all Clusters are shown again once.
  const mostTries = 19;

  test("a kind that is not installed is named, and found once it is", async (t) => {
    await using world = await clusterWorld(t);
    const controlPlaneRef = { apiGroup: "nobody.test", kind: "NobodysControlPlane", name: "c1" };
    await world.apply(aCluster("c1", { controlPlaneRef }), anInfrastructure("c1"));
    await world.settle();
    const { ControlPlaneAvailable: available, ...rest } = await allTold(world, "ControlPlaneAvailable", "RollingOut");
    expect(available?.slice(0, 3)).toEqual(["unreadable", "Unknown", "InternalError"]);
    expect(available?.[3]).toContain('"nobodyscontrolplanes.nobody.test" not found');
    const seeLogs = "Please check controller logs for errors";
    expect(rest).toEqual({ RollingOut: ["unreadable", "Unknown", "InternalError", seeLogs] });
    expect(await passesIn(world, 10)).toBeLessThanOrEqual(mostTries);
    // What can be done is done: the infrastructure is not kept waiting.
    expect((await world.get(Cluster, "c1")).status?.phase).toBe("Provisioned");
  });

  test("a control plane that is deleted behind the back of its Cluster is missed", async (t) => {
    await using world = await clusterWorld(t);
    await world.workload("c1");
    await world.apply(aControlPlane("c1", { type: "Available" }), anInfrastructure("c1"), aCluster("c1"));
    await world.settle();
    await world.delete(TestControlPlane, "c1");
    await world.settle();
    const gone = "TestControlPlane has been deleted while the cluster still exists";
    expect(await told(world, "ControlPlaneAvailable")).toEqual(["deleted-under-owner", "False", "ObjectDeleted", gone]);
    const writes = world.allWrites.length;
    expect(await passesIn(world, 10)).toBeLessThanOrEqual(mostTries);
    expect(world.allWrites.slice(writes)).toEqual([]);

    // The same one comes back.
    await world.apply(aControlPlane("c1", { type: "Available" }));
    await world.advance(minutes(11));
    expect(await told(world, "ControlPlaneAvailable")).toEqual(["reported", "True", "Because", ""]);
  });

  test("descendants that cannot be listed are told, and nothing is taken for absent", async (t) => {
    // What is read from the server and not from memory fails as soon as its kind is gone.
    const cacheKinds = [definitionsInMemory, { kind: MachineSet, live: true }];
    await using world = await clusterWorld(t, {}, { manager: { cacheKinds } });
    await world.apply(aCluster("c1", { controlPlaneRef: null }), anInfrastructure("c1"));
    await world.settle();
    const { workers } = (await world.get(Cluster, "c1")).status ?? {};
    await world.uninstall("machinesets.cluster.x-k8s.io");
    await world.apply(aMachine("w1", "c1"));
    await world.settle();
    const missing: unknown = expect.stringContaining("the server could not find the requested resource");
    expect(await allTold(world, "ControlPlaneAvailable", "ControlPlaneInitialized", "WorkersAvailable")).toEqual({
      ControlPlaneAvailable: ["machines-unreadable", "Unknown", "InternalError", missing],
      ControlPlaneInitialized: ["machines-unreadable", "Unknown", "InternalError", missing],
      WorkersAvailable: ["unreadable", "Unknown", "InternalError", missing],
    });
    expect((await world.get(Cluster, "c1")).status?.workers).toEqual(workers);

    // Nor may a Cluster go whose descendants nobody knows.
    await world.delete(Cluster, "c1");
    await world.settle();
    expect(await told(world, "Deleting")).toEqual(["failed", "True", "InternalError", missing]);
    expect(await world.find(Cluster, "c1")).toBeDefined();
    expect(await passesIn(world, 10)).toBeLessThanOrEqual(2 * mostTries);
  });
});

test("thousands of descendants are told in three messages, by few passes", { timeout: 240_000 }, async (t) => {
  await using world = await clusterWorld(t);
  // A real server takes its time to store them.
  const count = world.way === "real" ? 2_000 : 10_000;
  const names = Array.from({ length: count }, (_, index) => `m${String(index).padStart(5, "0")}`);
  await createAll(world, names);
  await world.apply(aControlPlane("c1", { type: "Available" }), anInfrastructure("c1"), aCluster("c1"));
  await world.settle();
  const silent = `* Machines m00000, m00001, m00002, ... (${count - 3} more): Condition Ready not yet reported`;
  expect(await told(world, "WorkerMachinesReady")).toEqual(["unknown", "Unknown", "ReadyUnknown", silent]);

  // However many of them change at once, what they say is summed up a few times only.
  const before = world.passes("Cluster", "c1").length;
  const ready = { type: "Ready", status: "False", reason: "R", message: "booting", lastTransitionTime: world.now };
  const patch = { kind: "merge", patch: { status: { conditions: [ready] } } } as const;
  const some = names.slice(0, 1_000);
  await Promise.all(some.map((name) => world.client.patchStatus(Machine, { namespace: world.namespace, name }, patch)));
  await world.settle();
  const message = [
    "* Machines m00000, m00001, m00002, ... (997 more): booting",
    `* Machines m01000, m01001, m01002, ... (${count - 1_003} more): Condition Ready not yet reported`,
  ].join("\n");
  expect(await told(world, "WorkerMachinesReady")).toEqual(["not-ready", "False", "NotReady", message]);
  expect(world.passes("Cluster", "c1").length - before).toBeLessThan(100);

  // Those that are silent count from their tenth second on, and that is all that happens by itself.
  const { items } = await world.client.listAll(Machine, { namespace: world.namespace });
  const births = new Set(items.map(({ metadata }) => metadata.creationTimestamp)).size;
  expect(await passesIn(world, 2)).toBeLessThanOrEqual(2 * births);
  expect(world.allWrites.filter(({ object }) => object === "Machine")).toEqual([]);
});

function invalid(why: string): readonly string[] {
  const prefix = "failed to convert status.conditions from TestControlPlane to []metav1.Condition: ";
  return ["invalid", "Unknown", "InvalidConditionReported", `${prefix}${why}`];
}

async function passesIn(world: World, passing: number): Promise<number> {
  const before = world.passes("Cluster", "c1").length;
  await world.advance(minutes(passing));
  return world.passes("Cluster", "c1").length - before;
}

/** Many at a time, because each is a write of its own. */
async function createAll(world: World, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += 500) {
    const some = names.slice(from, from + 500).map((name) => {
      const { status: _, metadata, ...rest } = aMachine(name, "c1");
      return { ...rest, metadata: { ...metadata, namespace: world.namespace } };
    });
    await Promise.all(some.map((machine) => world.client.create(kindOf(machine), machine)));
  }
}
