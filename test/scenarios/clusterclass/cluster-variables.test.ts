import { expect, test } from "vitest";
import { Cluster, ClusterClass, defaultFeatureGates } from "#api";
import type { Client } from "#client";
import { type Json, namespacedName } from "#machinery";
import { variableRules } from "#topology";
import { clusterClassWebhook, clusterWebhook, type Lookups } from "#webhooks";
import { aClass, classWorld, variable } from "./class-world.ts";

test("Clusters get the defaults of discovered variables, and their values are checked when they are written", async (t) => {
  const later: { client?: Client } = {};
  const lookups: Lookups = {
    gates: { ...defaultFeatureGates, ClusterTopology: true, RuntimeSDK: true },
    clusterClass: async (key) => await later.client?.find(ClusterClass, key),
    clustersUsing: async () => [],
    upgradeBlockers: async () => [],
    variables: variableRules,
  };
  await using scene = await classWorld(t, {
    admission: { webhooks: [clusterWebhook, clusterClassWebhook], lookups },
  });
  const { world } = scene;
  later.client = world.client;
  scene.answer([
    variable("cpu", { type: "integer", default: 2, minimum: 1 }),
    variable("proxy", { type: "object", properties: { port: { type: "integer", default: 3128 } } }),
  ]);
  await world.apply(aClass("small"));
  await world.settle();

  await world.apply(aCluster("blue", [{ name: "proxy", value: {} }]));
  const { spec } = await world.get(Cluster, "blue");
  expect(spec.topology?.variables).toEqual([
    { name: "proxy", value: { port: 3128 } },
    { name: "cpu", value: 2 },
  ]);
  await expect(world.apply(aCluster("red", [{ name: "cpu", value: 0 }]))).rejects.toThrow(
    'spec.topology.variables[cpu].value: Invalid value: "0": should be greater than or equal to 1',
  );
  await expect(world.apply(aCluster("green", [{ name: "gpu", value: 1 }]))).rejects.toThrow("variable is not defined");
  expect(await world.find(Cluster, "red")).toBeUndefined();
});

test("a class with a variable that is wrong is refused when it is written", async (t) => {
  const lookups: Lookups = {
    gates: { ...defaultFeatureGates, ClusterTopology: true, RuntimeSDK: true },
    clusterClass: async () => undefined,
    clustersUsing: async (key) => {
      throw new Error(`nobody asks who uses ${namespacedName(key)}`);
    },
    upgradeBlockers: async () => [],
    variables: variableRules,
  };
  await using scene = await classWorld(t, { admission: { webhooks: [clusterClassWebhook], lookups } });
  const bad = {
    name: "cpu",
    required: false,
    schema: { openAPIV3Schema: { type: "integer", default: "two" } },
  } as const;
  await expect(scene.world.apply(aClass("small", { variables: [bad] }))).rejects.toThrow(
    'spec.variables[cpu].schema.openAPIV3Schema.default: Invalid value: "string"',
  );
});

function aCluster(name: string, variables: readonly { readonly name: string; readonly value: Json }[]): Cluster {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name },
    spec: { topology: { classRef: { name: "small" }, version: "v1.34.1", variables } },
  };
}
