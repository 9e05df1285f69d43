import { Cluster, defaultFeatureGates, MachineDeployment, MachinePool } from "#api";
import { defineKind, s } from "#machinery";
import { embeddedOnly } from "#testkit";
import { describe, expect, test } from "vitest";
import {
  aClass,
  aCluster,
  aControlPlane,
  aControlPlaneSaying,
  aGroup,
  aMachineDeployment,
  anInfrastructure,
} from "./cluster-objects.ts";
import { clusterKinds, clusterWorld, told } from "./cluster-world.ts";

const rollingOut = (count: number) => ({ type: "RollingOut", message: `Rolling out ${count} not up-to-date replicas` });
const notRollingOut = { type: "RollingOut", status: "False" } as const;
const seeLogs = "Please check controller logs for errors";

test("a rollout that starts, goes Unknown and ends is seen on the Cluster", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
  await world.settle();
  expect(await told(world, "RollingOut")).toEqual(["no-sources", "False", "NotRollingOut", ""]);

  await world.apply(aMachineDeployment("md1", "c1"));
  await world.settle();
  const unknown = "* MachineDeployment md1: Condition RollingOut not yet reported";
  expect(await told(world, "RollingOut")).toEqual(["unknown", "Unknown", "RollingOutUnknown", unknown]);

  await world.apply(aMachineDeployment("md1", "c1", rollingOut(3)), aControlPlane("c1", rollingOut(1)));
  await world.settle();
  const both = [
    "* MachineDeployment md1: Rolling out 3 not up-to-date replicas",
    "* TestControlPlane c1: Rolling out 1 not up-to-date replicas",
  ].join("\n");
  expect(await told(world, "RollingOut")).toEqual(["rolling-out", "True", "RollingOut", both]);

  // While the control plane still rolls out, what the others do not know is listed behind it.
  await world.apply(aMachineDeployment("md1", "c1", { type: "RollingOut", status: "Unknown", message: "who knows" }));
  await world.settle();
  const mixed = "* MachineDeployment md1: who knows\n* TestControlPlane c1: Rolling out 1 not up-to-date replicas";
  expect(await told(world, "RollingOut")).toEqual(["rolling-out", "True", "RollingOut", mixed]);

  await world.apply(aControlPlane("c1", notRollingOut));
  await world.settle();
  const still = "* MachineDeployment md1: who knows";
  expect(await told(world, "RollingOut")).toEqual(["unknown", "Unknown", "RollingOutUnknown", still]);

  await world.apply(aMachineDeployment("md1", "c1", notRollingOut));
  await world.settle();
  expect(await told(world, "RollingOut")).toEqual(["not-rolling-out", "False", "NotRollingOut", ""]);
  const { metadata, status } = await world.get(Cluster, "c1");
  expect(status?.conditions?.find(({ type }) => type === "RollingOut")).toMatchObject({
    observedGeneration: metadata.generation,
    lastTransitionTime: world.now,
  });
  expect(status?.observedGeneration).toBe(metadata.generation);
});

test("what sources that are done have to add is listed", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(
    aCluster("c1"),
    anInfrastructure("c1"),
    aControlPlane("c1", { ...notRollingOut, message: "done at noon" }),
    aMachineDeployment("md1", "c1", notRollingOut),
  );
  await world.settle();
  const message = "* TestControlPlane c1: done at noon";
  expect(await told(world, "RollingOut")).toEqual(["not-rolling-out", "False", "NotRollingOut", message]);
});

test("of what many lines say each becomes a line of its own", async (t) => {
  await using world = await clusterWorld(t);
  const lines = "Rolling out 3 not up-to-date replicas\n* Version v1.29.0, v1.30.0 required";
  await world.apply(
    aCluster("c1"),
    anInfrastructure("c1"),
    aControlPlane("c1"),
    aMachineDeployment("md1", "c1", { type: "RollingOut", message: lines }),
  );
  await world.settle();
  const message = [
    "* MachineDeployment md1:",
    "  * Rolling out 3 not up-to-date replicas",
    "    * Version v1.29.0, v1.30.0 required",
  ].join("\n");
  expect(await told(world, "RollingOut")).toEqual(["rolling-out", "True", "RollingOut", message]);
});

test("500 MachineDeployments fit into three messages", { timeout: 120_000 }, async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1", rollingOut(1)));
  const names = Array.from({ length: 500 }, (_, index) => `md${String(index).padStart(3, "0")}`);
  // 300 say one thing, 150 another, 49 each something of their own, and one nothing.
  const saying = (index: number) => {
    if (index === 499) return [];
    return [rollingOut(index < 300 ? 1 : index < 450 ? 2 : index)];
  };
  await world.apply(...names.map((name, index) => aMachineDeployment(name, "c1", ...saying(index))));
  await world.settle();
  const message = [
    "* MachineDeployments md000, md001, md002, ... (297 more): Rolling out 1 not up-to-date replicas",
    "* MachineDeployments md300, md301, md302, ... (147 more): Rolling out 2 not up-to-date replicas",
    "* MachineDeployment md450: Rolling out 450 not up-to-date replicas",
    "And 48 MachineDeployments with other issues",
    "And 1 MachineDeployment with status unknown",
    "And 1 TestControlPlane with other issues",
  ].join("\n");
  expect(await told(world, "RollingOut")).toEqual(["rolling-out", "True", "RollingOut", message]);
});

describe("MachinePools", () => {
  const pool = aGroup(MachinePool, "mp1", "c1", { conditions: [rollingOut(5)] });
  const message = "* MachinePool mp1: Rolling out 5 not up-to-date replicas";

  test("count, also where they say nothing", async (t) => {
    await using world = await clusterWorld(t);
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"), pool);
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["rolling-out", "True", "RollingOut", message]);
    await world.apply(aGroup(MachinePool, "mp1", "c1", { status: { replicas: 1 } }));
    await world.settle();
    const silent = "* MachinePool mp1: Condition RollingOut not yet reported";
    expect(await told(world, "RollingOut")).toEqual(["unknown", "Unknown", "RollingOutUnknown", silent]);
  });

  test("do not count where that is turned off", async (t) => {
    await using world = await clusterWorld(t, { machinePoolsRollOut: false });
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"), pool);
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["no-sources", "False", "NotRollingOut", ""]);
  });

  test("are not looked at without their feature gate, not even for their kind", async (t) => {
    const kinds = clusterKinds.filter((kind) => kind !== MachinePool);
    await using world = await clusterWorld(t, { features: { ...defaultFeatureGates, MachinePool: false } }, { kinds });
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["no-sources", "False", "NotRollingOut", ""]);
    expect(world.manager.caches.running.map(({ kind }) => kind.kind)).not.toContain("MachinePool");
  });
});

describe("what cannot be told", () => {
  test("is unknown while a topology has not been generated", async (t) => {
    await using world = await clusterWorld(t);
    const topology = { classRef: { name: "class" }, version: "v1.34.0" };
    await world.apply(aClass("class"), aCluster("c1", { topology, infrastructureRef: null, controlPlaneRef: null }));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["unreadable", "Unknown", "InternalError", seeLogs]);
  });

  test("is unknown where the control plane cannot be read, and tried again with growing pauses", async (t) => {
    await using world = await clusterWorld(t);
    const controlPlaneRef = { apiGroup: "nobody.test", kind: "NobodysControlPlane", name: "c1" };
    await world.apply(aCluster("c1", { controlPlaneRef }), anInfrastructure("c1"));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["unreadable", "Unknown", "InternalError", seeLogs]);
    expect(world.passes("Cluster", "c1").at(-1)?.next.kind).toBe("retry");
  });

  test("does not include a control plane that is absent, or whose conditions are garbage", async (t) => {
    await using world = await clusterWorld(t);
    await world.apply(aCluster("c1"), anInfrastructure("c1"));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["no-sources", "False", "NotRollingOut", ""]);
    const conditions = [{ type: "RollingOut", status: "True" }, { type: "" }];
    await world.apply(aControlPlaneSaying("c1", { status: { conditions } }));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["no-sources", "False", "NotRollingOut", ""]);
  });

  test("is unknown where a definition let conditions through that nobody can merge", async (t) => {
    embeddedOnly(t, "it replaces the definition of MachineDeployments, which everybody on the server shares");
    const { group, version, kind } = MachineDeployment;
    const unchecked = { spec: s.anything().optional(), status: s.anything().optional() };
    const Lax = defineKind({
      group,
      version,
      kind,
      plural: "machinedeployments",
      description: "Anything.",
      hasStatus: true,
      fields: unchecked,
    });
    const kinds = [...clusterKinds.filter((one) => one !== MachineDeployment), Lax];
    await using world = await clusterWorld(t, {}, { kinds });
    await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
    await world.apply(aGroup(MachineDeployment, "md1", "c1", { status: { conditions: [null] } }));
    await world.settle();
    expect(await told(world, "RollingOut")).toEqual(["merge-failed", "Unknown", "InternalError", seeLogs]);
    const [row, status, reason, error] = await told(world, "ScalingUp");
    expect([row, status, reason]).toEqual(["unreadable", "Unknown", "InternalError"]);
    expect(error).toMatch(/^failed to aggregate ScalingUp: /);
  });
});
