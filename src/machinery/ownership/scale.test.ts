import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import { applyUpdate } from "./apply-update.ts";
import { parentEntries, type ReplicasPaths, scaleEntries, scaleType } from "./scale.ts";

const apiVersion = "own.test/v1";
const now = parseTimestamp("2026-01-02T00:00:00Z");
const earlier = "2026-01-01T00:00:00Z";
const replicas: ReplicasPaths = new Map([
  [apiVersion, ["f:spec", "f:replicas"]],
  ["own.test/v2", undefined],
]);

function entry(manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { apiVersion, fieldsType: "FieldsV1", fieldsV1, manager, operation: "Apply", time: earlier, ...more };
}

const owner = entry("one", { "f:spec": { "f:name": {}, "f:replicas": {} } });
const only = entry("two", { "f:spec": { "f:replicas": {} } });
const other = entry("three", { "f:spec": { "f:name": {} } });

function scale(count: number, managedFields: readonly ManagedFieldsEntry[] | undefined): KubeObject {
  const metadata = { name: "w", uid: "1", ...(managedFields === undefined ? {} : { managedFields }) };
  return { apiVersion: "autoscaling/v1", kind: "Scale", metadata, spec: { replicas: count }, status: { replicas: 0 } };
}

/** What the scale endpoint makes of the managers when somebody writes a number of replicas. */
function scaled(parent: readonly ManagedFieldsEntry[], from: number, to: number) {
  const live = scale(from, scaleEntries(parent, replicas));
  const write = { manager: "scaler", apiVersion: "autoscaling/v1", subresource: "scale", now, type: scaleType };
  const entries = applyUpdate({ ...write, live, next: { ...live, spec: { replicas: to } } }) ?? [];
  return parentEntries(parent, entries, { apiVersion, replicas });
}

describe("the scale endpoint", () => {
  test("shows the managers of the replicas as managers of the Scale", () => {
    expect(scaleEntries([owner, only, other], replicas)).toEqual([
      { ...owner, apiVersion: "autoscaling/v1", fieldsV1: { "f:spec": { "f:replicas": {} } } },
      { ...only, apiVersion: "autoscaling/v1" },
    ]);
  });

  test("takes the replicas from all who owned them, without a time of its own", () => {
    expect(scaled([owner, only, other], 1, 2)).toEqual([
      entry("one", { "f:spec": { "f:name": {} } }),
      other,
      {
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
        manager: "scaler",
        operation: "Update",
        subresource: "scale",
      },
    ]);
  });

  test("leaves everybody alone when nothing changes", () => {
    expect(scaled([owner, other], 1, 1)).toEqual([owner, other]);
  });

  test("keeps managers of versions without it, and drops those of versions that are gone", () => {
    const elsewhere = { ...other, apiVersion: "own.test/v2" };
    const gone = { ...other, manager: "gone", apiVersion: "own.test/v0" };
    expect(scaled([owner, elsewhere, gone], 1, 1)).toEqual([owner, elsewhere]);
  });
});
