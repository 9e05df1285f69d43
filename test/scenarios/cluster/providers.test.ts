import { Cluster } from "#api";
import { seconds } from "#base";
import { describe, expect, test } from "vitest";
import {
  aCluster,
  aControlPlane,
  aControlPlaneMachine,
  aControlPlaneSaying,
  anInfrastructure,
  OldCluster,
  OldControlPlane,
  TestCluster,
  TestControlPlane,
} from "./cluster-objects.ts";
import { allTold, clusterKinds, clusterWorld, told } from "./cluster-world.ts";

const pending = { initialization: { provisioned: false } };

describe("the infrastructure", () => {
  test("is waited for, provisioned, reports itself, and is missed when it goes", async (t) => {
    await using world = await clusterWorld(t);
    await world.apply(aCluster("c1", { controlPlaneRef: null }));
    await world.settle();
    const absent = "TestCluster does not exist";
    expect(await told(world, "InfrastructureReady")).toEqual(["does-not-exist", "False", "ObjectDoesNotExist", absent]);
    const { next } = world.passes("Cluster", "c1").at(-1) ?? {};
    expect(next).toMatchObject({ kind: "requeue", after: seconds(30) });

    // Nobody tells a Cluster of an object that it does not own yet, so that it looks again by itself.
    await world.apply(anInfrastructure("c1", { status: pending }));
    await world.advance(seconds(30));
    const notYet = "TestCluster status.initialization.provisioned is false";
    expect(await told(world, "InfrastructureReady")).toEqual(["not-provisioned", "False", "NotReady", notYet]);
    expect((await world.get(Cluster, "c1")).status?.phase).toBe("Provisioning");

    await world.apply(anInfrastructure("c1"));
    await world.settle();
    expect(await told(world, "InfrastructureReady")).toEqual(["provisioned", "True", "Ready", ""]);
    const { spec, status } = await world.get(Cluster, "c1");
    expect(spec.controlPlaneEndpoint).toEqual({ host: "cluster.test", port: 6443 });
    expect(status).toMatchObject({ phase: "Provisioned", initialization: { infrastructureProvisioned: true } });

    const said = { type: "Ready", status: "False", reason: "Flooded", message: "water in the racks" };
    const since = "2025-01-15T12:00:00Z";
    const flooded = { ...pending, conditions: [{ ...said, lastTransitionTime: since }] };
    await world.apply(anInfrastructure("c1", { status: flooded }));
    await world.settle();
    expect(await told(world, "InfrastructureReady")).toEqual(["reported", "False", "Flooded", "water in the racks"]);
    const mirrored = (await world.get(Cluster, "c1")).status?.conditions?.find(({ type }) => type.startsWith("Infra"));
    expect(mirrored?.lastTransitionTime).toBe(since);
    // What was reached once stays so.
    expect((await world.get(Cluster, "c1")).status?.phase).toBe("Provisioned");

    await world.apply(anInfrastructure("c1", { status: { conditions: [{ type: "Ready", status: "Maybe" }] } }));
    await world.settle();
    const garbage =
      "failed to convert status.conditions from TestCluster to []metav1.Condition: status for the Ready condition must be one of True, False, Unknown";
    expect(await told(world, "InfrastructureReady")).toEqual([
      "invalid",
      "Unknown",
      "InvalidConditionReported",
      garbage,
    ]);

    await world.delete(TestCluster, "c1");
    await world.settle();
    const gone = "TestCluster has been deleted while the cluster still exists";
    expect(await told(world, "InfrastructureReady")).toEqual(["deleted-under-owner", "False", "ObjectDeleted", gone]);
    const { errors } = world.passes("Cluster", "c1").at(-1) ?? {};
    expect(errors?.map(({ message }) => message)).toEqual(["TestCluster has been deleted after being provisioned"]);
  });

  test("becomes the Cluster's, with its label and its failure domains", async (t) => {
    await using world = await clusterWorld(t);
    const failureDomains = [{ name: "b" }, { name: "a", controlPlane: true, attributes: { rack: "1" } }];
    await world.apply(aCluster("c1", { controlPlaneRef: null }));
    const status = { initialization: { provisioned: true }, failureDomains };
    await world.apply(anInfrastructure("c1", { status }));
    await world.advance(seconds(30));
    const { metadata } = await world.get(TestCluster, "c1");
    const { metadata: owner, status: found } = await world.get(Cluster, "c1");
    expect(metadata.labels).toEqual({ "cluster.x-k8s.io/cluster-name": "c1" });
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        name: "c1",
        uid: owner.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(found?.failureDomains).toEqual([
      { name: "a", controlPlane: true, attributes: { rack: "1" } },
      { name: "b", controlPlane: false },
    ]);
    await world.apply(anInfrastructure("c1"));
    await world.settle();
    expect((await world.get(Cluster, "c1")).status?.failureDomains).toBeUndefined();
  });

  test("is left alone where it belongs to somebody else, and that is told", async (t) => {
    await using world = await clusterWorld(t);
    const infrastructureRef = { apiGroup: TestCluster.group, kind: "TestCluster", name: "c1" };
    await world.apply(anInfrastructure("c1"), aCluster("c0", { infrastructureRef, controlPlaneRef: null }));
    await world.settle();
    const { ownerReferences: owners } = (await world.get(TestCluster, "c1")).metadata;
    await world.apply(aCluster("c1", { controlPlaneRef: null }));
    await world.settle();
    const whose = `Object ${world.namespace}/c1 is already owned by another Cluster controller c0`;
    expect(await told(world, "InfrastructureReady")).toEqual(["unreadable", "Unknown", "InternalError", whose]);
    expect((await world.get(TestCluster, "c1")).metadata.ownerReferences).toEqual(owners);
    expect((await world.get(Cluster, "c1")).status?.initialization).toBeUndefined();
  });

  test("that says garbage is named, and taken over once it is mended", async (t) => {
    await using world = await clusterWorld(t);
    const spec = { controlPlaneEndpoint: { host: "cluster.test", port: "many" } };
    await world.apply(anInfrastructure("c1", { spec }), aCluster("c1", { controlPlaneRef: null }));
    await world.settle();
    const [row, status, reason, message] = await told(world, "InfrastructureReady");
    expect([row, status, reason]).toEqual(["unreadable", "Unknown", "InternalError"]);
    expect(message).toMatch(/^failed to get .spec.controlPlaneEndpoint from object: /);
    expect((await world.get(Cluster, "c1")).status?.initialization).toBeUndefined();
    await world.apply(anInfrastructure("c1"));
    await world.settle();
    expect((await world.get(Cluster, "c1")).status?.phase).toBe("Provisioned");
  });

  test("is not needed where the Cluster names none", async (t) => {
    await using world = await clusterWorld(t);
    const endpoint = { host: "cluster.test", port: 6443 };
    await world.apply(
      aCluster("c1", { controlPlaneEndpoint: endpoint, infrastructureRef: null, controlPlaneRef: null }),
    );
    await world.settle();
    expect(await told(world, "InfrastructureReady")).toEqual(["not-needed", "True", "Ready", ""]);
    expect((await world.get(Cluster, "c1")).status).toMatchObject({
      phase: "Provisioned",
      initialization: { infrastructureProvisioned: true },
    });
  });
});

describe("the control plane", () => {
  test("is waited for, initialized, reports itself, and is missed when it goes", async (t) => {
    await using world = await clusterWorld(t);
    const both = ["ControlPlaneInitialized", "ControlPlaneAvailable"];
    await world.apply(aCluster("c1"), anInfrastructure("c1", { spec: {} }));
    await world.settle();
    const absent = "TestControlPlane does not exist";
    expect(await allTold(world, ...both)).toEqual({
      ControlPlaneInitialized: ["does-not-exist", "Unknown", "ObjectDoesNotExist", absent],
      ControlPlaneAvailable: ["does-not-exist", "False", "ObjectDoesNotExist", absent],
    });

    const endpoint = { host: "plane.test", port: 6443 };
    await world.apply(aControlPlaneSaying("c1", { spec: { controlPlaneEndpoint: endpoint }, status: {} }));
    await world.advance(seconds(30));
    const notYet = "TestControlPlane status.initialization.controlPlaneInitialized is false";
    expect(await allTold(world, ...both)).toEqual({
      ControlPlaneInitialized: ["not-initialized", "False", "NotInitialized", "Control plane not yet initialized"],
      ControlPlaneAvailable: ["not-initialized", "False", "NotAvailable", notYet],
    });
    // An endpoint counts once somebody answers there.
    expect((await world.get(Cluster, "c1")).spec.controlPlaneEndpoint).toBeUndefined();

    await world.apply(aControlPlaneSaying("c1", { spec: { controlPlaneEndpoint: endpoint } }));
    await world.settle();
    expect(await allTold(world, "ControlPlaneAvailable")).toEqual({
      ControlPlaneAvailable: ["initialized", "True", "Available", ""],
    });
    const { spec, status, metadata } = await world.get(Cluster, "c1");
    expect(spec.controlPlaneEndpoint).toEqual(endpoint);
    expect(status).toMatchObject({ phase: "Provisioned", initialization: { controlPlaneInitialized: true } });
    const rows = world.passes("Cluster", "c1").flatMap(({ verdicts }) => verdicts);
    const initialized = rows.filter(({ type }) => type === "ControlPlaneInitialized").map(({ row }) => row);
    expect(initialized.filter((row) => row === "initialized")).toHaveLength(1);
    expect(initialized.at(-1)).toBe("initialized-keep");
    expect((await world.get(TestControlPlane, "c1")).metadata.ownerReferences).toEqual([
      { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c1", uid: metadata.uid },
    ]);

    await world.apply(
      aControlPlane("c1", { type: "Available", status: "False", reason: "NoQuorum", message: "1 of 3" }),
    );
    await world.settle();
    expect(await told(world, "ControlPlaneAvailable")).toEqual(["reported", "False", "NoQuorum", "1 of 3"]);

    await world.delete(TestControlPlane, "c1");
    await world.settle();
    const gone = "TestControlPlane has been deleted while the cluster still exists";
    expect(await allTold(world, ...both)).toEqual({
      ControlPlaneInitialized: ["initialized-keep", "True", "Initialized", ""],
      ControlPlaneAvailable: ["deleted-under-owner", "False", "ObjectDeleted", gone],
    });
    const { errors } = world.passes("Cluster", "c1").at(-1) ?? {};
    expect(errors?.map(({ message }) => message)).toEqual([
      "TestControlPlane has been deleted after being initialized",
    ]);
  });

  test("that says garbage of its initialization is named, and everything else goes on", async (t) => {
    await using world = await clusterWorld(t);
    const available = { type: "Available", status: "True", reason: "Up", message: "" };
    const rollingOut = { type: "RollingOut", status: "True", reason: "RollingOut", message: "at it" };
    const conditions = [available, rollingOut];
    const status = { initialization: { controlPlaneInitialized: "yes" }, replicas: "three", conditions };
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlaneSaying("c1", { status }));
    await world.settle();
    const { ControlPlaneInitialized: initialized, ...rest } = await allTold(
      world,
      "ControlPlaneInitialized",
      "ControlPlaneAvailable",
      "RollingOut",
    );
    expect(initialized?.slice(0, 3)).toEqual(["unreadable", "Unknown", "InternalError"]);
    expect(initialized?.[3]).toMatch(/^failed to get .status.initialization.controlPlaneInitialized from object: /);
    expect(rest).toEqual({
      ControlPlaneAvailable: ["reported", "True", "Up", ""],
      RollingOut: ["rolling-out", "True", "RollingOut", "* TestControlPlane c1: at it"],
    });
  });

  test("counts its machines for the Cluster", async (t) => {
    await using world = await clusterWorld(t);
    const counts = { replicas: 3, readyReplicas: 2, availableReplicas: 1, upToDateReplicas: 3 };
    const status = { initialization: { controlPlaneInitialized: true }, ...counts };
    await world.apply(aCluster("c1"), anInfrastructure("c1"));
    await world.apply(aControlPlaneSaying("c1", { spec: { replicas: 3 }, status }));
    await world.advance(seconds(30));
    expect((await world.get(Cluster, "c1")).status?.controlPlane).toEqual({ desiredReplicas: 3, ...counts });
    await world.delete(TestControlPlane, "c1");
    await world.settle();
    expect((await world.get(Cluster, "c1")).status?.controlPlane).toEqual({});
  });
});

test("providers of the older contract are understood", async (t) => {
  await using world = await clusterWorld(t, {}, { kinds: [...clusterKinds, OldCluster, OldControlPlane] });
  const refs = {
    infrastructureRef: { apiGroup: OldCluster.group, kind: "OldCluster", name: "c1" },
    controlPlaneRef: { apiGroup: OldControlPlane.group, kind: "OldControlPlane", name: "c1" },
  };
  const ready = { type: "Ready", status: "True", lastTransitionTime: "2025-01-15T12:00:00Z" };
  await world.apply(
    aCluster("c1", refs),
    {
      apiVersion: OldCluster.apiVersion,
      kind: "OldCluster",
      metadata: { name: "c1" },
      spec: { controlPlaneEndpoint: { host: "old.test", port: 6443 } },
      status: { ready: true, failureDomains: { b: {}, a: { controlPlane: true } }, conditions: [ready] },
    },
    {
      apiVersion: OldControlPlane.apiVersion,
      kind: "OldControlPlane",
      metadata: { name: "c1" },
      spec: { replicas: 3 },
      status: { initialized: true, replicas: 3, readyReplicas: 3, unavailableReplicas: 1, updatedReplicas: 2 },
    },
  );
  await world.advance(seconds(30));
  expect(await allTold(world, "InfrastructureReady", "ControlPlaneAvailable")).toEqual({
    InfrastructureReady: ["reported", "True", "Ready", ""],
    ControlPlaneAvailable: ["initialized", "True", "Available", ""],
  });
  const { spec, status } = await world.get(Cluster, "c1");
  expect(spec.controlPlaneEndpoint).toEqual({ host: "old.test", port: 6443 });
  expect(status).toMatchObject({
    phase: "Provisioned",
    initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
    controlPlane: { desiredReplicas: 3, replicas: 3, readyReplicas: 3, availableReplicas: 2, upToDateReplicas: 2 },
    failureDomains: [{ name: "a", controlPlane: true }, { name: "b" }],
  });
});

test("a Cluster without a control plane object is judged by its control plane Machines", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", { controlPlaneRef: null }), anInfrastructure("c1"));
  await world.settle();
  const waiting = "Waiting for the first control plane machine to have status.nodeRef set";
  expect(await allTold(world, "ControlPlaneInitialized", "ControlPlaneAvailable")).toEqual({
    ControlPlaneInitialized: ["waiting-for-node", "False", "NotInitialized", waiting],
    ControlPlaneAvailable: ["no-machines", "False", "NotAvailable", "Waiting for a control plane Machine"],
  });

  const notUp = { type: "Available", status: "False", reason: "NotReady", message: "booting" } as const;
  await world.apply(aControlPlaneMachine("cp1", "c1", { conditions: [notUp], node: "n1" }));
  await world.settle();
  expect(await allTold(world, "ControlPlaneInitialized", "ControlPlaneAvailable")).toMatchObject({
    ControlPlaneAvailable: ["machines-not-available", "False", "NotAvailable", "* Machine cp1: booting"],
  });
  const first = world.passes("Cluster", "c1").flatMap(({ verdicts }) => verdicts);
  expect(first.filter(({ type }) => type === "ControlPlaneInitialized").map(({ row }) => row)).toContain("first-node");
  expect((await world.get(Cluster, "c1")).status).toMatchObject({
    initialization: { controlPlaneInitialized: true },
    controlPlane: { desiredReplicas: 1, replicas: 1 },
  });

  const up = ["Available", "Ready", "UpToDate"].map((type) => ({ type }));
  await world.apply(
    aControlPlaneMachine("cp1", "c1", { conditions: up, node: "n1" }),
    aControlPlaneMachine("cp2", "c1", { conditions: up }),
  );
  await world.settle();
  expect(await told(world, "ControlPlaneAvailable")).toEqual(["machines-available", "True", "Available", ""]);
  const counts = { desiredReplicas: 2, replicas: 2, readyReplicas: 2, availableReplicas: 2, upToDateReplicas: 2 };
  expect((await world.get(Cluster, "c1")).status?.controlPlane).toEqual(counts);
});
