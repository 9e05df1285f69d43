import { describe, expect, test } from "vitest";
import { describeError } from "#base";
import type { JsonObject, KubeObject } from "#machinery";
import { isProvisioning, isScaling, isUpgrading } from "./control-plane-state.ts";

test.each([
  [{}, true],
  [{ version: "" }, true],
  [{ version: "v1.34.0" }, false],
])("with the status %j a control plane is provisioning: %j", (status, provisioning) => {
  expect(isProvisioning(aControlPlane({}, status))).toBe(provisioning);
});

describe("isUpgrading", () => {
  test.each([
    ["v1.34.0", "v1.33.0", true],
    ["v1.34.0", "v1.34.0-rc.1", true],
    ["v1.34.0", "v1.34.0", false],
    ["v1.33.0", "v1.34.0", false],
    ["v1.34.0+build.2", "v1.34.0+build.1", true],
    ["v1.34.0+build.1", "v1.34.0+build.2", false],
    ["v1.34.0+build.01", "v1.34.0+build.1", false],
    ["v1.34.0+abc", "v1.34.0+def", true],
    ["v1.34.0+1", "v1.34.0+abc", false],
    ["v1.34.0+abc", "v1.34.0+1", true],
    ["v1.34.0+a.b", "v1.34.0+a", true],
    ["v1.34.0", "v1.34.0+a", false],
  ])("from %s, while %s is reported: %j", (version, reported, upgrading) => {
    expect(isUpgrading(aControlPlane({ version }, { version: reported }))).toBe(upgrading);
  });

  test("a control plane that reports no version yet is not upgrading", () => {
    expect(isUpgrading(aControlPlane({ version: "v1.34.0" }, {}))).toBe(false);
  });

  test.each([
    [{}, {}, "failed to get control plane spec version: path .spec.version: field not found"],
    [{ version: "new" }, {}, "failed to parse control plane spec version: new is no version"],
    [{ version: "v1.34.0" }, { version: "" }, "failed to parse control plane status version:  is no version"],
    [
      { version: "v1.34.0" },
      { version: 5 },
      "failed to get control plane status version: failed to get .status.version from object: " +
        ".status.version accessor error: 5 is of the type int64, expected string",
    ],
  ])("of %j with %j nothing can be said", (spec, status, text) => {
    expect(failure(() => isUpgrading(aControlPlane(spec, status)))).toBe(text);
  });
});

describe("isScaling", () => {
  const settled = { replicas: 3, upToDateReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
  const { replicas: _, ...withoutReplicas } = settled;

  test.each([
    [settled, false],
    [{ ...settled, replicas: 2 }, true],
    [{ ...settled, upToDateReplicas: 2 }, true],
    [{ ...settled, readyReplicas: 2 }, true],
    [{ ...settled, availableReplicas: 2 }, true],
    [withoutReplicas, true],
    [{}, true],
  ])("three are wanted and the status is %j: %j", (status, scaling) => {
    expect(isScaling(aControlPlane({ replicas: 3 }, status), "v1beta2")).toBe(scaling);
  });

  test.each([
    [{ replicas: 3, updatedReplicas: 3, readyReplicas: 3 }, false],
    [{ replicas: 3, updatedReplicas: 3, readyReplicas: 3, unavailableReplicas: 1 }, true],
    [{ replicas: 3, upToDateReplicas: 3, readyReplicas: 3 }, true],
  ])("in contract v1beta1 the status is %j: %j", (status, scaling) => {
    expect(isScaling(aControlPlane({ replicas: 3 }, status), "v1beta1")).toBe(scaling);
  });

  test("a control plane without replicas cannot be judged", () => {
    expect(failure(() => isScaling(aControlPlane({}, settled), "v1beta2"))).toBe(
      "failed to get control plane spec.replicas: path .spec.replicas: field not found",
    );
  });
});

function aControlPlane(spec: JsonObject, status: JsonObject): KubeObject {
  return { apiVersion: "controlplane.example.com/v1", kind: "FooControlPlane", metadata: { name: "x" }, spec, status };
}

function failure(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return describeError(error);
  }
  return "";
}
