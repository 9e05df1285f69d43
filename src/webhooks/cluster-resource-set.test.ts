import { describe, expect, test } from "vitest";
import type { ClusterResourceSet } from "#api";
import { clusterResourceSetWebhook } from "./cluster-resource-set.ts";
import { errorsOf, type ReviewCase, reviewCase } from "./test-review.ts";

const set: ClusterResourceSet = {
  apiVersion: "addons.cluster.x-k8s.io/v1beta2",
  kind: "ClusterResourceSet",
  metadata: { namespace: "default", name: "set" },
  spec: { clusterSelector: { matchLabels: { a: "b" } }, resources: [{ kind: "ConfigMap", name: "c" }] },
};

describe("a ClusterResourceSet is taken", () => {
  test.each<[string, ReviewCase]>([
    ["with a selector", { errors: [] }],
    ["with other resources", { old: { spec: { resources: [{ kind: "Secret", name: "s" }] } }, errors: [] }],
    [
      "with the strategy that is meant where none is set",
      { change: { spec: { strategy: "ApplyOnce" } }, old: {}, errors: [] },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterResourceSetWebhook, set, testCase))).toEqual([]);
  });
});

describe("a ClusterResourceSet is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "with a selector for everything",
      {
        change: { spec: { clusterSelector: { matchLabels: null } } },
        errors: ["spec.clusterSelector: Invalid value: {}: selector must not be empty"],
      },
    ],
    [
      "with a selector that cannot be read",
      {
        change: { spec: { clusterSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } } },
        errors: [
          'spec.clusterSelector: Invalid value: {"matchLabels":{"a":"b"},"matchExpressions":[{"key":"a","operator":"Exists",' +
            '"values":["b"]}]}: values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
        ],
      },
    ],
    [
      "with another strategy",
      {
        change: { spec: { strategy: "Reconcile" } },
        old: { spec: { strategy: "ApplyOnce" } },
        errors: ['spec.strategy: Invalid value: "Reconcile": field is immutable'],
      },
    ],
    [
      "with another selector",
      {
        old: { spec: { clusterSelector: { matchLabels: { a: "c" } } } },
        errors: ['spec.clusterSelector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable'],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterResourceSetWebhook, set, testCase))).toEqual(testCase.errors);
  });
});

test.each([
  [undefined, "ApplyOnce"],
  ["Reconcile", "Reconcile"],
])("a ClusterResourceSet with the strategy %s has %s", async (strategy, expected) => {
  const change = strategy === undefined ? {} : { spec: { strategy } };
  expect(await reviewCase(clusterResourceSetWebhook, set, { change, errors: [] })).toMatchObject({
    kind: "taken",
    object: { spec: { strategy: expected } },
  });
});
