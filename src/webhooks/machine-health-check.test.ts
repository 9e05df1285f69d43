import { describe, expect, test } from "vitest";
import type { MachineHealthCheck } from "#api";
import { machineHealthCheckWebhook } from "./machine-health-check.ts";
import { errorsOf, type ReviewCase, reviewCase } from "./test-review.ts";

const check: MachineHealthCheck = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "MachineHealthCheck",
  metadata: { namespace: "default", name: "check" },
  spec: { clusterName: "blue", selector: { matchLabels: { a: "b" } } },
};
const checks = (nodeStartupTimeoutSeconds: number) => ({ spec: { checks: { nodeStartupTimeoutSeconds } } });
const limit = (unhealthyLessThanOrEqualTo: number | string) => ({
  spec: { remediation: { triggerIf: { unhealthyLessThanOrEqualTo } } },
});

describe("a MachineHealthCheck is taken", () => {
  test.each<[string, ReviewCase]>([
    ["with a selector", { errors: [] }],
    ["with the Cluster that it had", { old: {}, errors: [] }],
    [
      "with a selector that names its Cluster",
      { change: { spec: { selector: { matchLabels: { "cluster.x-k8s.io/cluster-name": "blue" } } } }, errors: [] },
    ],
    ["with the shortest time to start", { change: checks(30), errors: [] }],
    ["with no limit to the time to start", { change: checks(0), errors: [] }],
    ["with a number as limit", { change: limit(3), errors: [] }],
    ["with a percentage as limit", { change: limit("40%"), errors: [] }],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(machineHealthCheckWebhook, check, testCase))).toEqual([]);
  });
});

describe("a MachineHealthCheck is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "without a selector",
      {
        change: { spec: { selector: { matchLabels: null } } },
        errors: ["spec.selector: Required value: selector must not be empty"],
      },
    ],
    [
      "with a selector that cannot be read",
      {
        change: { spec: { selector: { matchExpressions: [{ key: "a", operator: "In" }] } } },
        errors: [
          'spec.selector: Invalid value: {"matchLabels":{"a":"b"},"matchExpressions":[{"key":"a","operator":"In"}]}: ' +
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
        ],
      },
    ],
    [
      "with a selector for another Cluster",
      {
        change: { spec: { selector: { matchLabels: { a: null, "cluster.x-k8s.io/cluster-name": "red" } } } },
        errors: [
          'spec.selector: Invalid value: {"matchLabels":{"cluster.x-k8s.io/cluster-name":"red"}}: ' +
            "cannot specify a cluster selector other than the one specified by ClusterName",
        ],
      },
    ],
    [
      "in another Cluster",
      { old: { spec: { clusterName: "red" } }, errors: ["spec.clusterName: Forbidden: field is immutable"] },
    ],
    [
      "with too short a time to start",
      {
        change: checks(29),
        errors: ["spec.checks.nodeStartupTimeoutSeconds: Invalid value: 29: must be at least 30s"],
      },
    ],
    [
      "with a limit that is none",
      {
        change: limit("most"),
        errors: [
          'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo: Invalid value: "most": must be either an int or a ' +
            "percentage: invalid value for IntOrString: invalid type: string is not a percentage",
        ],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(machineHealthCheckWebhook, check, testCase))).toEqual(testCase.errors);
  });
});

test("a MachineHealthCheck gets the label of its Cluster and a time to start", async () => {
  expect(await reviewCase(machineHealthCheckWebhook, check, { errors: [] })).toMatchObject({
    kind: "taken",
    object: {
      metadata: { labels: { "cluster.x-k8s.io/cluster-name": "blue" } },
      spec: { checks: { nodeStartupTimeoutSeconds: 600 } },
    },
  });
});
