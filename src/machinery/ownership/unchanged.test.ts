import { describe, expect, test } from "vitest";
import type { KubeObject } from "../object.ts";
import { isUnchanged } from "./unchanged.ts";

const entry = {
  manager: "m",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsV1: { "f:spec": {} },
};
const live: KubeObject = {
  apiVersion: "v1",
  kind: "Widget",
  metadata: { name: "w", labels: { a: "1" }, managedFields: [entry] },
  spec: { list: [1, { a: null }] },
};

describe("a write changes nothing", () => {
  const same: Record<string, KubeObject> = {
    "where all is the same": structuredClone(live),
    "where keys stand in another order": {
      spec: { list: [1, { a: null }] },
      metadata: live.metadata,
      kind: "Widget",
      apiVersion: "v1",
    },
    "where only times of managers differ": {
      ...live,
      metadata: { ...live.metadata, managedFields: [{ ...entry, time: "2026-02-01T00:00:00Z" }] },
    },
  };
  test.each(Object.entries(same))("%s", (_, next) => {
    expect(isUnchanged(live, next)).toBe(true);
  });
});

describe("a write changes something", () => {
  const { spec: _, ...withoutSpec } = live;
  const changed: Record<string, KubeObject> = {
    "a value": { ...live, spec: { list: [2, { a: null }] } },
    "null or nothing": { ...live, spec: { list: [1, {}] } },
    "a field more": { ...live, status: {} },
    "a field less": withoutSpec,
    metadata: { ...live, metadata: { ...live.metadata, labels: {} } },
    "a manager more": { ...live, metadata: { ...live.metadata, managedFields: [entry, entry] } },
    "no managers": { ...live, metadata: { name: "w", labels: { a: "1" } } },
    "what a manager owns": { ...live, metadata: { ...live.metadata, managedFields: [{ ...entry, fieldsV1: {} }] } },
  };
  test.each(Object.entries(changed))("%s", (_name, next) => {
    expect(isUnchanged(live, next)).toBe(false);
  });
});
