import { Cluster, ClusterClass } from "#api";
import { minutes } from "#base";
import { describe, expect, test } from "vitest";
import { aClass, aCluster, aControlPlane, anInfrastructure } from "./cluster-objects.ts";
import { allTold, clusterWorld, told } from "./cluster-world.ts";

const topology = { classRef: { name: "class" }, version: "v1.34.0" };
const unnamed = { topology, infrastructureRef: null, controlPlaneRef: null };
const isReconciled = { type: "TopologyReconciled", reason: "ReconcileSucceeded", message: "" };

test("a Cluster waits until its topology is generated", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aClass("class"), aCluster("c1", unnamed));
  await world.settle();
  const waiting = "Waiting for cluster topology to be reconciled";
  const yet = "the topology of the Cluster has not been generated yet";
  const unreadable = ["unreadable", "Unknown", "InternalError", yet];
  const unread = [
    "WorkersAvailable",
    "ControlPlaneMachinesReady",
    "WorkerMachinesReady",
    "ControlPlaneMachinesUpToDate",
    "WorkerMachinesUpToDate",
    "ScalingUp",
    "ScalingDown",
    "Remediating",
  ];
  expect(
    await allTold(world, "InfrastructureReady", "ControlPlaneAvailable", "ControlPlaneInitialized", ...unread),
  ).toEqual({
    InfrastructureReady: ["waiting-for-topology", "False", "ObjectDoesNotExist", waiting],
    ControlPlaneAvailable: ["waiting-for-topology", "False", "ObjectDoesNotExist", waiting],
    ControlPlaneInitialized: ["waiting-for-topology", "Unknown", "ObjectDoesNotExist", waiting],
    ...Object.fromEntries(unread.map((type) => [type, unreadable])),
  });
  const { status, metadata } = await world.get(Cluster, "c1");
  expect(status).toMatchObject({ phase: "Pending", observedGeneration: metadata.generation });
  // Whoever generates it will wake the Cluster.
  expect(world.passes("Cluster", "c1").at(-1)?.next.kind).toBe("await-change");
});

describe("availability gates", () => {
  const gates = [{ conditionType: "Inspected" }, { conditionType: "Leaking", polarity: "Negative" }];
  const inspected = (world: { now: string }, leaking: string) => ({
    conditions: [isReconciled, { type: "Inspected" }, { type: "Leaking", status: leaking, message: "drip" }].map(
      (one) => ({
        status: "True",
        reason: "Because",
        message: "",
        lastTransitionTime: world.now,
        ...one,
      }),
    ),
  });

  test("of the class count where the Cluster has none of its own", async (t) => {
    await using world = await clusterWorld(t);
    await world.workload("c1");
    await world.apply(aClass("class", { availabilityGates: gates }), anInfrastructure("c1"), aControlPlane("c1"));
    await world.apply(aCluster("c1", { topology }));
    await world.settle();
    const missing = [
      "* TopologyReconciled: Condition not yet reported",
      "* Inspected: Condition not yet reported",
      "* Leaking: Condition not yet reported",
    ].join("\n");
    expect(await told(world, "Available")).toEqual(["unknown", "Unknown", "AvailableUnknown", missing]);

    await world.apply({ ...aCluster("c1", { topology }), status: inspected(world, "True") });
    await world.settle();
    expect(await told(world, "Available")).toEqual(["not-available", "False", "NotAvailable", "* Leaking: drip"]);
    await world.apply({ ...aCluster("c1", { topology }), status: inspected(world, "False") });
    await world.settle();
    expect(await told(world, "Available")).toEqual(["available", "True", "Available", "* Leaking: drip"]);

    // Conditions of others stay theirs.
    const { conditions = [] } = (await world.get(Cluster, "c1")).status ?? {};
    expect(conditions.find(({ type }) => type === "Leaking")).toMatchObject({ message: "drip" });
  });

  test("of the Cluster replace those of its class", async (t) => {
    await using world = await clusterWorld(t);
    await world.workload("c1");
    await world.apply(aClass("class", { availabilityGates: gates }), anInfrastructure("c1"), aControlPlane("c1"));
    const availabilityGates = [{ conditionType: "Blessed" }];
    await world.apply({ ...aCluster("c1", { topology, availabilityGates }), status: inspected(world, "True") });
    await world.settle();
    const missing = "* Blessed: Condition not yet reported";
    expect(await told(world, "Available")).toEqual(["unknown", "Unknown", "AvailableUnknown", missing]);
  });
});

test("a gate that names Available itself cannot be summed up, and the condition says so", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", { availabilityGates: [{ conditionType: "Available" }] }));
  await world.settle();
  const error = "forConditionTypes can't contain the target condition Available";
  expect(await told(world, "Available")).toEqual(["summary-failed", "Unknown", "InternalError", error]);
});

test("without its class nothing is said about a Cluster, and it is tried again", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", unnamed));
  await world.settle();
  const before = world.writes("Cluster", "c1");
  const { outcome, next, errors, wrote } = world.passes("Cluster", "c1").at(-1) ?? {};
  expect({ outcome, next: next?.kind, wrote }).toEqual({ outcome: "failed", next: "retry", wrote: [] });
  expect(errors?.map(({ message }) => message)).toEqual([`ClusterClass ${world.namespace}/class does not exist`]);
  const { conditions = [] } = (await world.get(Cluster, "c1")).status ?? {};
  expect(conditions.map(({ type }) => type)).toEqual(["Paused"]);

  await world.apply(aClass("class"));
  await world.advance(minutes(1));
  expect((await told(world, "RollingOut"))[0]).toBe("unreadable");
  expect(world.writes("Cluster", "c1").length).toBeGreaterThan(before.length);
});

test("a Cluster that goes before its topology was generated says so, even without its class", async (t) => {
  await using world = await clusterWorld(t);
  const hold = "test.capstan.dev/hold";
  await world.apply(aClass("class"), aCluster("c1", unnamed, { finalizers: [hold] }));
  await world.settle();
  await world.delete(ClusterClass, "class");
  await world.delete(Cluster, "c1");
  await world.settle();
  expect(
    await allTold(world, "InfrastructureReady", "ControlPlaneAvailable", "ControlPlaneInitialized", "Deleting"),
  ).toEqual({
    InfrastructureReady: ["topology-deleting", "False", "ObjectDoesNotExist", ""],
    ControlPlaneAvailable: ["topology-deleting", "False", "ObjectDoesNotExist", ""],
    ControlPlaneInitialized: ["topology-deleting", "Unknown", "ObjectDoesNotExist", ""],
    Deleting: ["completed", "True", "DeletionCompleted", "Deletion completed"],
  });
  expect((await world.get(Cluster, "c1")).metadata.finalizers).toEqual([hold]);
});
