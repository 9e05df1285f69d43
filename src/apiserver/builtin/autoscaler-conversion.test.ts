import { expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import { toNewer, toOlder } from "./autoscaler-conversion.ts";

const metadata = { name: "a", namespace: "default" };
const target = { kind: "Deployment", name: "web", apiVersion: "apps/v1" };
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } };
const memory = {
  type: "Resource",
  resource: { name: "memory", target: { type: "Utilization", averageUtilization: 50 } },
};

test("the use of CPU has a field of its own in the older version", () => {
  const newer: KubeObject = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata,
    spec: { scaleTargetRef: target, maxReplicas: 3, metrics: [cpu] },
  };
  const older = {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata,
    spec: { scaleTargetRef: target, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
  };
  expect(toOlder(newer)).toEqual(older);
  expect(toNewer(older)).toEqual(newer);
});

test("what the older version does not know goes there and back", () => {
  const newer: KubeObject = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata,
    spec: { scaleTargetRef: target, maxReplicas: 3, metrics: [memory], behavior: { scaleDown: { policies: [] } } },
    status: { currentReplicas: 1, desiredReplicas: 2, conditions: [{ type: "AbleToScale", status: "True" }] },
  };
  expect(toNewer(toOlder(newer))).toEqual(newer);
});

test("an annotation that is no JSON is left out", () => {
  const older: KubeObject = {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { ...metadata, annotations: { "autoscaling.alpha.kubernetes.io/metrics": "{", mine: "1" } },
    spec: { maxReplicas: 1 },
  };
  expect(toNewer(older)).toEqual({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { ...metadata, annotations: { mine: "1" } },
    spec: { maxReplicas: 1 },
  });
});
