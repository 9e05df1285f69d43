import { describe, expect, test } from "vitest";
import type { Machine } from "#api";
import { machineWebhook } from "./machine.ts";
import { errorsOf, type ReviewCase, reviewCase } from "./test-review.ts";

const machine: Machine = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace: "default", name: "m" },
  spec: {
    clusterName: "blue",
    bootstrap: { dataSecretName: "data" },
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m" },
  },
};
const taints = (...keys: readonly string[]) => ({
  spec: { taints: keys.map((key) => ({ key, effect: "NoSchedule", propagation: "Always" })) },
});
const gates = ["MachineTaintPropagation"] as const;
const noBootstrap = { bootstrap: { dataSecretName: null } };

describe("a Machine is taken", () => {
  test.each<[string, ReviewCase]>([
    ["with a Secret for its bootstrap data", { errors: [] }],
    ["with a Secret that has no name yet", { change: { spec: { bootstrap: { dataSecretName: "" } } }, errors: [] }],
    [
      "with a bootstrap config",
      {
        change: {
          spec: { bootstrap: { dataSecretName: null, configRef: { apiGroup: "a.b", kind: "Config", name: "c" } } },
        },
        errors: [],
      },
    ],
    [
      "without bootstrap data in a pool",
      { change: { metadata: { labels: { "cluster.x-k8s.io/pool-name": "p" } }, spec: noBootstrap }, errors: [] },
    ],
    ["with a version", { change: { spec: { version: "v1.34.1-rc.0" } }, errors: [] }],
    ["with the Cluster that it had", { old: {}, errors: [] }],
    ["with taints", { gates, change: taints("example.com/a", "node.kubernetes.io/out-of-service"), errors: [] }],
    [
      "with the taint of control planes on a control plane",
      {
        gates,
        change: {
          metadata: { labels: { "cluster.x-k8s.io/control-plane": "" } },
          ...taints("node-role.kubernetes.io/control-plane"),
        },
        errors: [],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(machineWebhook, machine, testCase))).toEqual(testCase.errors);
  });
});

describe("a Machine is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "without bootstrap data",
      {
        change: { spec: noBootstrap },
        errors: [
          "spec.bootstrap: Required value: expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated",
        ],
      },
    ],
    [
      "in another Cluster",
      { old: { spec: { clusterName: "red" } }, errors: ["spec.clusterName: Forbidden: field is immutable"] },
    ],
    [
      "with a version that is none",
      {
        change: { spec: { version: "1.34" } },
        errors: ['spec.version: Invalid value: "v1.34": must be a valid semantic version'],
      },
    ],
    [
      "with taints while they are switched off",
      {
        change: taints("a"),
        errors: [
          "spec.taints: Forbidden: taints are not allowed to be set when the feature gate MachineTaintPropagation is disabled",
        ],
      },
    ],
    [
      "with taints that belong to others",
      {
        gates,
        change: taints(
          "node.cluster.x-k8s.io/uninitialized",
          "node.cluster.x-k8s.io/outdated-revision",
          "node.kubernetes.io/not-ready",
          "node.cloudprovider.kubernetes.io/uninitialized",
          "node-role.kubernetes.io/master",
          "node-role.kubernetes.io/control-plane",
        ),
        errors: [
          'spec.taints[0].key: Invalid value: "node.cluster.x-k8s.io/uninitialized": taint key is not allowed',
          'spec.taints[1].key: Invalid value: "node.cluster.x-k8s.io/outdated-revision": taint key is not allowed',
          'spec.taints[2].key: Invalid value: "node.kubernetes.io/not-ready": taint key must not have the prefix ' +
            "node.kubernetes.io/, except for node.kubernetes.io/out-of-service",
          'spec.taints[3].key: Invalid value: "node.cloudprovider.kubernetes.io/uninitialized": taint key must not have ' +
            "the prefix node.cloudprovider.kubernetes.io/",
          'spec.taints[4].key: Invalid value: "node-role.kubernetes.io/master": taint is deprecated since 1.24 and should ' +
            "not be used anymore",
          'spec.taints[5].key: Invalid value: "node-role.kubernetes.io/control-plane": taint is not allowed for worker Machines',
        ],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(machineWebhook, machine, testCase))).toEqual(testCase.errors);
  });
});

test("a Machine gets the label of its Cluster, a v and a limit for deleting its Node", async () => {
  const change = { metadata: { labels: { a: "b" } }, spec: { version: "1.34.1" } };
  const taken = await reviewCase(machineWebhook, machine, { change, errors: [] });
  expect(taken).toMatchObject({
    kind: "taken",
    object: {
      metadata: { labels: { a: "b", "cluster.x-k8s.io/cluster-name": "blue" } },
      spec: { version: "v1.34.1", deletion: { nodeDeletionTimeoutSeconds: 10 } },
    },
  });
});

test("what a user has set is kept", async () => {
  const spec = { version: "v1.34.1", deletion: { nodeDeletionTimeoutSeconds: 0, nodeDrainTimeoutSeconds: 5 } };
  const taken = await reviewCase(machineWebhook, machine, { change: { spec }, errors: [] });
  expect(taken).toMatchObject({ kind: "taken", object: { spec } });
});

test.each([
  ["without a spec", { spec: null }],
  ["without a Cluster", { spec: { clusterName: null } }],
  ["with a spec of another type", { spec: 7 }],
  ["with labels of another type", { metadata: { labels: { a: 7 } }, spec: { version: 7 } }],
])("a Machine %s is left to the schema", async (_name, change) => {
  expect(await reviewCase(machineWebhook, machine, { change, errors: [] })).toEqual({ kind: "unfit" });
});
