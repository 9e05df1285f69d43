import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import { ApiError } from "../api-error.ts";
import type { JsonObject } from "../json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { applyConfiguration, type ApplyResult, type OwnershipApply } from "./apply-configuration.ts";
import { objectTypeOf } from "./value-type.ts";
import { resetFields } from "./write.ts";

const text: JsonSchema = { type: "string" };
const pair: JsonSchema = { type: "object", properties: { a: text, b: text } };
const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        flag: { type: "boolean" },
        pair,
        map: { type: "object", additionalProperties: text },
        atomicMap: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        list: { type: "array", items: text },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: text,
              value: text,
              pair,
              tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
            },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
        ports: {
          type: "array",
          items: {
            type: "object",
            properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" }, note: text },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
        },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
};
const apiVersion = "own.test/v1";
const now = parseTimestamp("2026-01-02T00:00:00Z");
const earlier = "2026-01-01T00:00:00Z";

function widget(spec: object | undefined, more: object = {}): KubeObject {
  return { apiVersion, kind: "Widget", metadata: { name: "w" }, ...(spec === undefined ? {} : { spec }), ...more };
}

function apply(
  live: KubeObject | undefined,
  spec: object | undefined,
  more: Partial<OwnershipApply> = {},
): ApplyResult {
  const subresource = more.subresource ?? "";
  return applyConfiguration({
    live,
    configuration: widget(spec),
    manager: "me",
    force: false,
    apiVersion,
    kind: "Widget",
    now,
    type: objectTypeOf(schema),
    reset: resetFields({ subresource, hasStatus: true }),
    ...more,
  });
}

function applied(result: ApplyResult): KubeObject {
  if (result.kind === "conflicts") throw result.error;
  return result.object;
}

/** Applies one configuration after the other, each by a manager of its own, forcing its way. */
function sequence(...steps: readonly (readonly [manager: string, spec: object | undefined])[]): KubeObject {
  let live: KubeObject | undefined;
  for (const [manager, spec] of steps) live = applied(apply(live, spec, { manager, force: true }));
  if (live === undefined) throw new Error("no steps");
  return live;
}

function fieldsOf(object: KubeObject, manager: string): JsonObject | undefined {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}

function conflictOf(result: ApplyResult): ApiError["status"] {
  if (result.kind === "applied") throw new Error("no conflict");
  return result.error.status;
}

describe("an apply that creates", () => {
  test("owns what it names, but no containers of it", () => {
    expect(apply(undefined, { name: "x", pair: { a: "1" }, set: ["s"] })).toEqual({
      kind: "applied",
      object: widget(
        { name: "x", pair: { a: "1" }, set: ["s"] },
        {
          metadata: {
            name: "w",
            managedFields: [
              {
                apiVersion,
                fieldsType: "FieldsV1",
                fieldsV1: { "f:spec": { "f:name": {}, "f:pair": { "f:a": {} }, "f:set": { 'v:"s"': {} } } },
                manager: "me",
                operation: "Apply",
                time: now,
              },
            ],
          },
        },
      ),
      managedFields: expect.any(Array),
    });
  });

  test("of nothing owns nothing", () => {
    expect(apply(undefined, undefined)).toMatchObject({ kind: "applied", managedFields: undefined });
  });

  test("does not own a status that this endpoint ignores", () => {
    const result = apply(undefined, undefined, { configuration: widget({ name: "x" }, { status: { phase: "p" } }) });
    expect(fieldsOf(applied(result), "me")).toEqual({ "f:spec": { "f:name": {} } });
  });
});

describe("what is left when an applier no longer names something", () => {
  interface Case {
    readonly steps: readonly (readonly [string, object | undefined])[];
    readonly spec: object | undefined;
    readonly fields?: Readonly<Record<string, JsonObject | undefined>>;
  }
  const cases: Record<string, Case> = {
    "a field of its own goes": {
      steps: [
        ["a", { name: "x", flag: true }],
        ["a", { flag: true }],
      ],
      spec: { flag: true },
    },
    "a field that another applies stays": {
      steps: [
        ["a", { name: "x", flag: true }],
        ["b", { name: "x" }],
        ["a", { flag: true }],
      ],
      spec: { name: "x", flag: true },
      fields: { a: { "f:spec": { "f:flag": {} } }, b: { "f:spec": { "f:name": {} } } },
    },
    "a struct goes with its last field": {
      steps: [
        ["a", { name: "x", pair: { a: "1" } }],
        ["a", { name: "x" }],
      ],
      spec: { name: "x" },
    },
    "a struct stays with the fields of others": {
      steps: [
        ["a", { name: "x", pair: { a: "1" } }],
        ["b", { pair: { b: "2" } }],
        ["a", { name: "x" }],
      ],
      spec: { name: "x", pair: { b: "2" } },
    },
    "a struct that another owns as empty is null": {
      steps: [
        ["a", { name: "x", pair: { a: "1" } }],
        ["b", { pair: {} }],
        ["a", { name: "x" }],
      ],
      spec: { name: "x", pair: null },
    },
    "the spec goes with its last field": {
      steps: [
        ["a", { name: "x" }],
        ["a", undefined],
      ],
      spec: undefined,
      fields: { a: undefined },
    },
    "keys of a map": {
      steps: [
        ["a", { map: { k: "1", l: "1" } }],
        ["b", { map: { m: "1" } }],
        ["a", { map: { l: "1" } }],
      ],
      spec: { map: { l: "1", m: "1" } },
    },
    "values of a set": {
      steps: [
        ["a", { set: ["x", "y"] }],
        ["b", { set: ["y", "z"] }],
        ["a", { set: [] }],
      ],
      spec: { set: ["y", "z"] },
    },
    "all values of a set": {
      steps: [
        ["a", { name: "x", set: ["x"] }],
        ["a", { name: "x" }],
      ],
      spec: { name: "x" },
    },
    "an atomic map": {
      steps: [
        ["a", { name: "x", atomicMap: { k: "1" } }],
        ["a", { name: "x" }],
      ],
      spec: { name: "x" },
    },
    "an atomic list that another applies as well": {
      steps: [
        ["a", { list: ["x"] }],
        ["b", { list: ["x"] }],
        ["a", {}],
      ],
      spec: { list: ["x"] },
    },
    "an item of its own": {
      steps: [
        ["a", { items: [{ name: "p" }, { name: "q" }] }],
        ["a", { items: [{ name: "q" }] }],
      ],
      spec: { items: [{ name: "q" }] },
    },
    "its fields of an item that another owns too": {
      steps: [
        ["a", { items: [{ name: "p", value: "1" }] }],
        ["b", { items: [{ name: "p", pair: { a: "1" } }] }],
        ["a", {}],
      ],
      spec: { items: [{ name: "p", pair: { a: "1" } }] },
      fields: {
        a: { "f:spec": {} },
        b: { "f:spec": { "f:items": { 'k:{"name":"p"}': { ".": {}, "f:name": {}, "f:pair": { "f:a": {} } } } } },
      },
    },
    "sets in items": {
      steps: [
        ["a", { items: [{ name: "p", tags: ["x", "y"] }] }],
        ["b", { items: [{ name: "p", tags: ["z"] }] }],
        ["a", { items: [{ name: "p", tags: ["y"] }] }],
      ],
      spec: { items: [{ name: "p", tags: ["y", "z"] }] },
    },
    "an item by its defaulted key": {
      steps: [
        [
          "a",
          {
            ports: [
              { port: 1, note: "n" },
              { port: 1, protocol: "UDP" },
            ],
          },
        ],
        ["a", { ports: [{ port: 1 }] }],
      ],
      spec: { ports: [{ port: 1 }] },
    },
    "anything below a map of anything": {
      steps: [
        ["a", { any: { k: { l: 1 }, m: [1] } }],
        ["b", { any: { n: 1 } }],
        ["a", { any: { k: { o: 1 } } }],
      ],
      spec: { any: { k: { o: 1 }, n: 1 } },
    },
    "anything that turns from a map into a list": {
      steps: [
        ["a", { any: { k: 1 } }],
        ["a", { any: [1] }],
      ],
      spec: { any: [1] },
    },
    "a value taken over stays with who took it": {
      steps: [
        ["a", { name: "x", flag: true }],
        ["b", { name: "y" }],
        ["a", { flag: true }],
      ],
      spec: { name: "y", flag: true },
      fields: { a: { "f:spec": { "f:flag": {} } }, b: { "f:spec": { "f:name": {} } } },
    },
  };
  test.each(Object.entries(cases))("%s", (_, { steps, spec, fields = {} }) => {
    const live = sequence(...steps);
    expect(live["spec"]).toEqual(spec);
    for (const [manager, expected] of Object.entries(fields)) expect(fieldsOf(live, manager)).toEqual(expected);
  });

  test("what nobody owns stays in an item that goes on", () => {
    const live = sequence(["a", { items: [{ name: "p", value: "1" }] }]);
    const byWebhook = { ...live, spec: { items: [{ name: "p", value: "1", tags: ["w"] }] } };
    expect(applied(apply(byWebhook, { items: [{ name: "p" }] }, { manager: "a" }))["spec"]).toEqual({
      items: [{ name: "p", tags: ["w"] }],
    });
  });

  test("what nobody owns goes with the item it is in", () => {
    const live = sequence(["a", { name: "x", items: [{ name: "p" }] }]);
    const byWebhook = { ...live, spec: { name: "x", items: [{ name: "p", value: "w" }] } };
    expect(applied(apply(byWebhook, { name: "x" }, { manager: "a" }))["spec"]).toEqual({ name: "x" });
  });
});

describe("conflicts", () => {
  const live = sequence(["one", { name: "x", flag: true, items: [{ name: "p", value: "1" }] }], ["two", { name: "x" }]);
  const updater: ManagedFieldsEntry = {
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:set": { 'v:"s"': {} }, "f:flag": {} } },
    manager: "up",
    operation: "Update",
    time: earlier,
  };
  const shared = {
    ...live,
    metadata: { ...live.metadata, managedFields: [...(live.metadata.managedFields ?? []), updater] },
  };

  test("with one field of one manager", () => {
    expect(conflictOf(apply(live, { items: [{ name: "p", value: "2" }] }))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.items[name="p"].value',
      reason: "Conflict",
      details: {
        causes: [
          { reason: "FieldManagerConflict", message: 'conflict with "one"', field: '.spec.items[name="p"].value' },
        ],
      },
      code: 409,
    });
  });

  test("with several fields of several managers, updaters with their version", () => {
    const { message, details } = conflictOf(apply(shared, { name: "y", flag: false }));
    expect(message).toBe(
      'Apply failed with 4 conflicts: conflicts with "one":\n- .spec.flag\n- .spec.name\nconflicts with "two":\n- .spec.name\nconflicts with "up" using own.test/v1:\n- .spec.flag',
    );
    expect(details?.causes).toHaveLength(4);
  });

  test("with a manager of a subresource", () => {
    const status = { ...updater, manager: "st", subresource: "status", fieldsV1: { "f:status": { "f:phase": {} } } };
    const withStatus = {
      ...widget({ name: "x" }),
      metadata: { name: "w", managedFields: [status] },
      status: { phase: "p" },
    };
    const configuration = widget(undefined, { status: { phase: "q" } });
    expect(conflictOf(apply(withStatus, undefined, { configuration, subresource: "status" })).message).toBe(
      'Apply failed with 1 conflict: conflict with "st" with subresource "status" using own.test/v1: .status.phase',
    );
  });

  test("do not arise over a value that is the same", () => {
    const next = applied(apply(live, { name: "x" }, { manager: "three" }));
    expect(next["spec"]).toBe(live["spec"]);
    expect(fieldsOf(next, "three")).toEqual({ "f:spec": { "f:name": {} } });
  });

  test("are won by force", () => {
    const next = applied(apply(live, { name: "y" }, { force: true }));
    expect(next["spec"]).toEqual({ name: "y", flag: true, items: [{ name: "p", value: "1" }] });
    expect([fieldsOf(next, "me"), fieldsOf(next, "two")]).toEqual([{ "f:spec": { "f:name": {} } }, undefined]);
  });
});

describe("times", () => {
  const live = sequence(["one", { name: "x" }]);
  const later = parseTimestamp("2026-01-03T00:00:00Z");

  test("are kept by an apply that changes nothing, which gives back the live object", () => {
    expect(applied(apply(live, { name: "x" }, { manager: "one", now: later }))).toBe(live);
  });

  test("are absent for a manager that never changed anything", () => {
    const { metadata } = applied(apply(live, { name: "x" }, { manager: "two", now: later }));
    expect(metadata.managedFields?.map(({ manager, time }) => ({ manager, time }))).toEqual([
      { manager: "two", time: undefined },
      { manager: "one", time: now },
    ]);
  });

  test("are new for an apply that changes something", () => {
    const { metadata } = applied(apply(live, { name: "y" }, { manager: "one", now: later }));
    expect(metadata.managedFields?.[0]?.time).toBe(later);
  });
});

describe("the first apply to an object without managers", () => {
  test("books what is there to a manager of its own", () => {
    const live = { ...widget({ name: "x", flag: true }), metadata: { name: "w", uid: "1" }, status: { phase: "p" } };
    const next = applied(apply(live, { name: "x" }));
    expect(next.metadata.managedFields).toEqual([
      {
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:name": {} } },
        manager: "me",
        operation: "Apply",
      },
      {
        apiVersion,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { ".": {}, "f:flag": {}, "f:name": {} } },
        manager: "before-first-apply",
        operation: "Update",
        time: now,
      },
    ]);
  });
});

describe("an apply is refused", () => {
  const live = sequence(["one", { name: "x" }]);
  function refusal(more: Partial<OwnershipApply>): string {
    try {
      return apply(live, undefined, more).kind;
    } catch (error) {
      return error instanceof ApiError ? `${error.httpCode} ${error.reason}: ${error.message}` : String(error);
    }
  }
  const cases: Record<string, { readonly more: Partial<OwnershipApply>; readonly says: string }> = {
    "of another kind": {
      more: { configuration: { ...widget({}), kind: "Other" } },
      says: "400 BadRequest: invalid object type: own.test/v1, Kind=Other",
    },
    "in another version": {
      more: { configuration: { ...widget({}), apiVersion: "own.test/v9" } },
      says: "400 BadRequest: invalid object type: own.test/v9, Kind=Widget",
    },
    "with managedFields": {
      more: { configuration: widget({}, { metadata: { name: "w", managedFields: [] } }) },
      says: "400 BadRequest: metadata.managedFields must be nil",
    },
    "with a field that is not in the schema": {
      more: { configuration: widget({ zzz: 1 }) },
      says: "500 : failed to create typed patch object (/w; own.test/v1, Kind=Widget): .spec.zzz: field not declared in schema",
    },
    "with an item twice": {
      more: {
        configuration: widget({ items: [{ name: "p" }, { name: "p" }] }, { metadata: { name: "w", namespace: "ns" } }),
      },
      says: '500 : failed to create typed patch object (ns/w; own.test/v1, Kind=Widget): .spec.items: duplicate entries for key [name="p"]',
    },
    "over managedFields that cannot be read": {
      more: { live: { ...live, metadata: { name: "w", managedFields: [{ manager: "m", operation: "Nonsense" }] } } },
      says: "500 : failed to decode managed fields: operation must be `Apply` or `Update`",
    },
    "over an object that does not fit its schema": {
      more: { live: { ...live, spec: { set: [null] } } },
      says: "500 : failed to create typed live object (/w; own.test/v1, Kind=Widget): .spec.set: element 0: associative list without keys has an element that's an explicit null",
    },
  };
  test.each(Object.entries(cases))("%s", (_, { more, says }) => {
    expect(refusal(more)).toBe(says);
  });
});
