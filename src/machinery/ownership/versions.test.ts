import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { applyUpdate } from "./apply-update.ts";
import { objectTypeOf } from "./value-type.ts";
import type { Versions } from "./versions.ts";
import { resetFields } from "./write.ts";

const text: JsonSchema = { type: "string" };

/** A kind whose field `old` is called `new` from v2 on. */
function schemaOf(name: string): JsonSchema {
  const map: JsonSchema = { type: "object", additionalProperties: text };
  const properties = { [name]: text, other: text, map };
  return { type: "object", properties: { spec: { type: "object", properties }, status: map } };
}
const schemas: Readonly<Record<string, JsonSchema>> = {
  "own.test/v1": schemaOf("old"),
  "own.test/v2": schemaOf("new"),
};
const now = parseTimestamp("2026-01-02T00:00:00Z");

const versions: Versions = {
  typeOf: (apiVersion) => {
    const schema = schemas[apiVersion];
    return schema === undefined ? undefined : objectTypeOf(schema);
  },
  convert: (object, apiVersion) => {
    const { old, new: renamed, ...spec } = (object["spec"] ?? {}) as JsonObject;
    const value = old ?? renamed;
    const name = apiVersion === "own.test/v1" ? "old" : "new";
    return { ...object, apiVersion, spec: value === undefined ? spec : { ...spec, [name]: value } };
  },
};

function entry(manager: string, version: string, fieldsV1: JsonObject, more: object = {}): ManagedFieldsEntry {
  return {
    apiVersion: `own.test/${version}`,
    fieldsType: "FieldsV1",
    fieldsV1,
    manager,
    operation: "Apply",
    time: now,
    ...more,
  };
}

function widget(version: string, spec: object, managedFields?: readonly ManagedFieldsEntry[]): KubeObject {
  const metadata = { name: "w", ...(managedFields === undefined ? {} : { uid: "1", managedFields }) };
  return { apiVersion: `own.test/${version}`, kind: "Widget", metadata, spec };
}

function write(version: string, manager: string) {
  const apiVersion = `own.test/${version}`;
  const type = objectTypeOf(schemas[apiVersion] ?? {});
  const reset = resetFields({ subresource: "", hasStatus: true });
  return { manager, apiVersion, kind: "Widget", type, versions, now, reset };
}

const one = entry("one", "v1", { "f:spec": { "f:old": {}, "f:other": {} } });

describe("managers in other versions", () => {
  test("lose what a write in this version changes, under their own names for it", () => {
    const live = widget("v2", { new: "x", other: "y" }, [one]);
    const next = { ...live, spec: { new: "z", other: "y" } };
    expect(applyUpdate({ ...write("v2", "two"), live, next })).toEqual([
      entry("one", "v1", { "f:spec": { "f:other": {} } }),
      entry("two", "v2", { "f:spec": { "f:new": {} } }, { operation: "Update" }),
    ]);
  });

  test("conflict under their own names", () => {
    const live = widget("v2", { new: "x", other: "y" }, [one]);
    const result = applyConfiguration({
      ...write("v2", "two"),
      live,
      configuration: widget("v2", { new: "z" }),
      force: false,
    });
    expect(result).toMatchObject({
      kind: "conflicts",
      error: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.old' },
    });
  });

  test("keep what they own when an applier in this version leaves it out", () => {
    const two = entry("two", "v2", { "f:spec": { "f:map": { "f:k": {} }, "f:new": {} } });
    const live = widget("v2", { new: "x", other: "y", map: { k: "1" } }, [one, two]);
    const result = applyConfiguration({
      ...write("v2", "two"),
      live,
      configuration: widget("v2", { map: {} }),
      force: false,
    });
    expect(result).toMatchObject({ kind: "applied", object: { spec: { new: "x", other: "y" } } });
  });

  test("are forgotten once their version is gone", () => {
    const gone = entry("gone", "v0", { "f:spec": { "f:ancient": {} } });
    const live = widget("v1", { old: "x", other: "y" }, [gone, one]);
    const next = { ...live, spec: { old: "x", other: "z" } };
    expect(applyUpdate({ ...write("v1", "two"), live, next })?.map(({ manager }) => manager)).toEqual(["one", "two"]);
    const again = applyConfiguration({
      ...write("v1", "one"),
      live,
      configuration: widget("v1", { old: "x", other: "y" }),
      force: false,
    });
    expect(again).toMatchObject({ kind: "applied", managedFields: [one] });
  });

  test("are not forgotten over a conversion that fails: the write fails", () => {
    const failing = {
      ...versions,
      convert: () => {
        throw new Error("webhook is down");
      },
    };
    const live = widget("v2", { new: "x" }, [one]);
    const next = { ...live, spec: { new: "y" } };
    expect(() => applyUpdate({ ...write("v2", "two"), live, next, versions: failing })).toThrow("webhook is down");
  });

  test("keep the status that this endpoint ignores", () => {
    const status = entry("st", "v2", { "f:status": { "f:p": {} } }, { operation: "Update", subresource: "status" });
    const live = { ...widget("v1", { old: "x" }, [status]), status: { p: "1" } };
    const next = { ...live, spec: { old: "y" }, status: { p: "2" } };
    expect(applyUpdate({ ...write("v1", "two"), live, next })?.[0]).toEqual(status);
  });
});

describe("an applier that speaks another version than last time", () => {
  test("goes on as one and the same manager", () => {
    const live = widget("v2", { new: "x", other: "y" }, [one]);
    const result = applyConfiguration({
      ...write("v2", "one"),
      live,
      configuration: widget("v2", { new: "x" }),
      force: false,
    });
    expect(result).toMatchObject({
      kind: "applied",
      object: { spec: { new: "x" } },
      managedFields: [entry("one", "v2", { "f:spec": { "f:new": {} } })],
    });
  });
});
