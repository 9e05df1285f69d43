import { Cluster } from "#api";
import { expect, test } from "vitest";
import { aCluster, aControlPlane, aMachineDeployment, anInfrastructure, clusterWorld } from "./cluster-world.ts";

test("a rollout that starts, goes Unknown and ends is seen on the Cluster", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1"));
  await world.settle();
  expect(world.condition("Cluster", "c1", "RollingOut")).toEqual({
    status: "False",
    reason: "NotRollingOut",
    message: "",
    row: "no-sources",
  });

  await world.apply(aMachineDeployment("md1", "c1"));
  await world.settle();
  expect(world.condition("Cluster", "c1", "RollingOut")).toEqual({
    status: "Unknown",
    reason: "RollingOutUnknown",
    message: "* MachineDeployment md1: Condition RollingOut not yet reported",
    row: "unknown",
  });

  await world.apply(
    aMachineDeployment("md1", "c1", { type: "RollingOut", message: "Rolling out 3 not up-to-date replicas" }),
    aControlPlane("c1", { type: "RollingOut", message: "Rolling out 1 not up-to-date replicas" }),
  );
  await world.settle();
  expect(world.condition("Cluster", "c1", "RollingOut")).toEqual({
    status: "True",
    reason: "RollingOut",
    message:
      "* MachineDeployment md1: Rolling out 3 not up-to-date replicas\n* TestControlPlane c1: Rolling out 1 not up-to-date replicas",
    row: "rolling-out",
  });

  await world.apply(
    aMachineDeployment("md1", "c1", { type: "RollingOut", status: "False" }),
    aControlPlane("c1", { type: "RollingOut", status: "False" }),
  );
  await world.settle();
  expect(world.condition("Cluster", "c1", "RollingOut")).toEqual({
    status: "False",
    reason: "NotRollingOut",
    message: "",
    row: "not-rolling-out",
  });
  const stored = await world.get(Cluster, "c1");
  expect(stored.status?.conditions?.find(({ type }) => type === "RollingOut")).toMatchObject({
    status: "False",
    observedGeneration: stored.metadata.generation,
  });
});
