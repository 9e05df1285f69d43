import { MachineDeployment } from "#api";
import { minutes } from "#base";
import { expect, test } from "vitest";
import {
  aCluster,
  aControlPlane,
  aControlPlaneMachine,
  aGroup,
  aMachine,
  anInfrastructure,
} from "./cluster-objects.ts";
import { clusterWorld, told } from "./cluster-world.ts";

const well = ["Ready", "Available", "UpToDate"].map((type) => ({ type }));
const quiet = ["RollingOut", "ScalingUp", "ScalingDown"].map((type) => ({ type, status: "False" }) as const);

test("a Cluster with 100 Machines that are well is looked at and never written", async (t) => {
  await using world = await clusterWorld(t);
  await world.workload("c1");
  await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1", { type: "Available" }, ...quiet));
  const status = { replicas: 97, readyReplicas: 97, availableReplicas: 97, upToDateReplicas: 97 };
  const conditions = [{ type: "Available" }, ...quiet];
  await world.apply(aGroup(MachineDeployment, "md1", "c1", { replicas: 97, status, conditions }));
  const names = Array.from({ length: 100 }, (_, index) => `m${index}`);
  await world.apply(
    ...names.map((name, index) => (index < 3 ? aControlPlaneMachine : aMachine)(name, "c1", { conditions: well })),
  );
  await world.settle();
  expect(await told(world, "Available")).toEqual(["available", "True", "Available", ""]);

  const [writes, passes] = [world.allWrites.length, world.passes("Cluster", "c1").length];
  await world.advance(minutes(10));
  expect(world.allWrites.slice(writes)).toEqual([]);
  // All Clusters are shown again once in that time, and nothing else is a reason to look.
  expect(world.passes("Cluster", "c1").length - passes).toBeLessThanOrEqual(1);
});
