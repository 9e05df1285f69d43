import { Cluster } from "#api";
import { minutes } from "#base";
import { condition } from "#testkit";
import { expect, test } from "vitest";
import { aCluster, aControlPlane, anInfrastructure, TestCluster } from "./cluster-objects.ts";
import { clusterWorld, told } from "./cluster-world.ts";

const annotated = { annotations: { "cluster.x-k8s.io/paused": "" } };

test("a paused Cluster is held, says so and nothing else, and goes on when the pause is over", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(aCluster("c1", { paused: true }, annotated), anInfrastructure("c1"), aControlPlane("c1"));
  await world.settle();
  const both = "Cluster spec.paused is set to true, Cluster has the cluster.x-k8s.io/paused annotation";
  expect(await told(world, "Paused")).toEqual(["both-paused", "True", "Paused", both]);
  expect(world.writes("Cluster", "c1")).toEqual([
    { kind: "changed", fields: ["metadata.finalizers"] },
    condition("Paused", "True", "Paused"),
  ]);
  await world.advance(minutes(11));
  expect(world.writes("Cluster", "c1")).toHaveLength(2);
  expect((await world.get(TestCluster, "c1")).metadata.ownerReferences).toBeUndefined();

  await world.apply(aCluster("c1", { paused: true }));
  await world.settle();
  const cluster = "Cluster spec.paused is set to true";
  expect(await told(world, "Paused")).toEqual(["cluster-paused", "True", "Paused", cluster]);

  await world.apply(aCluster("c1", {}, annotated));
  await world.settle();
  const object = "Cluster has the cluster.x-k8s.io/paused annotation";
  expect(await told(world, "Paused")).toEqual(["object-paused", "True", "Paused", object]);

  const paused = world.writes("Cluster", "c1").length;
  await world.apply(aCluster("c1"));
  await world.settle();
  expect(await told(world, "Paused")).toEqual(["not-paused", "False", "NotPaused", ""]);
  // The end of the pause is written in a pass of its own.
  expect(world.writes("Cluster", "c1")[paused]).toEqual(condition("Paused", "False", "NotPaused"));
  expect((await world.get(Cluster, "c1")).status?.phase).toBe("Provisioned");
});
