import { parseTimestamp } from "#base";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeJson } from "../json-encode.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { asJson, type KubeObject } from "../object.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { applyUpdate } from "./apply-update.ts";
import { describePath, FieldSet } from "./field-set.ts";
import { everyFieldOf } from "./field-set-of.ts";
import { decodeFields } from "./fields-v1.ts";
import { mergeFields } from "./merge-fields.ts";
import { objectTypeOf } from "./value-type.ts";

const text: JsonSchema = { type: "string" };
const pair: JsonSchema = { type: "object", properties: { a: text, b: text } };
const map: JsonSchema = { type: "object", additionalProperties: text };
const set: JsonSchema = { type: "array", items: text, "x-kubernetes-list-type": "set" };
const port: JsonSchema = {
  type: "object",
  properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" }, a: text },
};
const item: JsonSchema = { type: "object", properties: { name: text, a: text, b: text, pair, tags: set, labels: map } };
const spec: JsonSchema = {
  type: "object",
  properties: {
    a: text,
    b: text,
    pair,
    map,
    pairs: { type: "object", additionalProperties: pair },
    atomicMap: { ...map, "x-kubernetes-map-type": "atomic" },
    list: { type: "array", items: text },
    set,
    any: { "x-kubernetes-preserve-unknown-fields": true },
    items: { type: "array", items: item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    ports: {
      type: "array",
      items: port,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    },
  },
};
const type = objectTypeOf({ type: "object", properties: { spec } });
const apiVersion = "own.test/v1";
const write = { apiVersion, kind: "Widget", type, now: parseTimestamp("2026-01-02T00:00:00Z") };

interface Shape {
  /** The names and keys that may occur. */
  readonly keys: readonly [string, ...string[]];
  readonly values: readonly [string, ...string[]];
  /** Whether containers may be empty and fields null. */
  readonly hollow: boolean;
}

const anyShape: Shape = { keys: ["a", "b"], values: ["x", "y"], hollow: true };
// One value only, so that two configurations seldom conflict.
const fullShape: Shape = { keys: ["a", "b"], values: ["x"], hollow: false };

/** Random specs of one shape. */
function specs({ keys, values, hollow }: Shape): fc.Arbitrary<JsonObject> {
  const value = fc.constantFrom(...values);
  const key = fc.constantFrom(...keys);
  const least = hollow ? 0 : 1;
  const member = hollow ? fc.option(value, { freq: 8 }) : value;
  const texts = fc.dictionary(key, value, { minKeys: least, maxKeys: 2 });
  const anyPair = filled(fc.record(Object.fromEntries(keys.map((name) => [name, member])), { requiredKeys: [] }));
  const anySet = fc.uniqueArray(key, { minLength: least, maxLength: 2 });
  const anyItem = fc.record(
    { name: key, ...Object.fromEntries(keys.map((name) => [name, value])), pair: anyPair, tags: anySet, labels: texts },
    { requiredKeys: ["name"] },
  );
  const anyPort = fc.record(
    { port: fc.constantFrom(...keys.map((name) => name.charCodeAt(0))), protocol: fc.constantFrom("TCP", "UDP") },
    { requiredKeys: ["port"] },
  );
  return filled(
    fc.record(
      {
        ...Object.fromEntries(keys.map((name) => [name, member])),
        pair: anyPair,
        map: texts,
        pairs: fc.dictionary(key, anyPair, { minKeys: least, maxKeys: 2 }),
        set: anySet,
        any: fc.dictionary(key, fc.oneof(value, texts), { minKeys: least, maxKeys: 2 }),
        items: fc.uniqueArray(anyItem, { minLength: least, maxLength: 2, selector: ({ name }) => name }),
        ports: fc.uniqueArray(anyPort, { minLength: least, maxLength: 2, selector: portKey }),
        ...(keys.includes("a") ? { atomicMap: texts, list: fc.array(value, { minLength: least, maxLength: 2 }) } : {}),
      },
      { requiredKeys: [] },
    ),
  );

  function filled(objects: fc.Arbitrary<object>): fc.Arbitrary<JsonObject> {
    return objects.filter((object) => hollow || Object.keys(object).length > 0).map((object) => object as JsonObject);
  }
}

function widget(body: JsonObject | undefined): KubeObject {
  return { apiVersion, kind: "Widget", metadata: { name: "w" }, ...(body === undefined ? {} : { spec: body }) };
}

/** The object after an apply; undefined for conflicts. */
function apply(
  live: KubeObject | undefined,
  manager: string,
  body: JsonObject | undefined,
  force: boolean,
): KubeObject | undefined {
  const result = applyConfiguration({ ...write, live, manager, configuration: widget(body), force });
  return result.kind === "applied" ? result.object : undefined;
}

function update(live: KubeObject, manager: string, body: JsonObject): KubeObject {
  const next: KubeObject = { ...live, spec: body };
  const managedFields = applyUpdate({ ...write, live, manager, next });
  const { managedFields: _, ...metadata } = next.metadata;
  return { ...next, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
}

/** A value as text in which the order of keyed lists and sets does not show. */
function unordered(value: unknown, path = ""): string {
  if (Array.isArray(value)) {
    const items = value.map((one) => unordered(one));
    return `[${(path.endsWith(".list") ? items : items.toSorted()).join(",")}]`;
  }
  if (!isJsonObject(value)) return encodeJson((value ?? null) as Json);
  const members = Object.entries(value).map(([name, member]) => `${name}:${unordered(member, `${path}.${name}`)}`);
  return `{${members.toSorted().join(",")}}`;
}

describe("for any configurations", () => {
  const config = specs(anyShape);
  const fullConfig = specs(fullShape);

  test("applying the same one twice changes nothing", () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const live = apply(apply(undefined, "one", first, true), "two", second, true);
        expect(apply(live, "two", second, false)).toBe(live);
      }),
    );
  });

  test("applying one over another and then nothing gives back the other", () => {
    fc.assert(
      fc.property(fullConfig, fullConfig, (first, second) => {
        const before = apply(undefined, "one", first, false);
        const both = apply(before, "two", second, false);
        fc.pre(both !== undefined);
        const after = apply(both, "two", undefined, false);
        expect(unordered(after?.["spec"])).toBe(unordered(first));
        expect(after?.metadata.managedFields).toEqual(before?.metadata.managedFields);
      }),
    );
  });

  test("nobody ever owns a field that is not there", () => {
    const step = fc.record({
      manager: fc.constantFrom("one", "two", "three"),
      body: fc.option(config, { nil: undefined, freq: 10 }),
      kind: fc.constantFrom("apply", "force", "update"),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        let live: KubeObject | undefined;
        for (const { manager, body, kind } of steps) {
          live =
            kind === "update" && live !== undefined
              ? update(live, manager, body ?? {})
              : (apply(live, manager, body, kind === "force") ?? live);
          const there = everyFieldOf(live === undefined ? {} : asJson(live), type);
          for (const { fieldsV1 = {} } of live?.metadata.managedFields ?? []) {
            expect([...decodeFields(fieldsV1).difference(there).paths()].map(describePath)).toEqual([]);
          }
        }
      }),
    );
  });

  test("two that name different things can be merged in any order", () => {
    const other = specs({ ...fullShape, keys: ["c", "d"] });
    const renamed = other.map(declaredPart);
    fc.assert(
      fc.property(config, fullConfig, renamed, (live, a, b) => {
        const [first, second] = [{ spec: a }, { spec: b }];
        const ab = mergeFields(mergeFields({ spec: live }, first, type), second, type);
        const ba = mergeFields(mergeFields({ spec: live }, second, type), first, type);
        expect(unordered(ab)).toBe(unordered(ba));
      }),
    );
  });

  test("what an applier owns can be read back", () => {
    fc.assert(
      fc.property(config, (body) => {
        const [entry] = apply(undefined, "one", body, false)?.metadata.managedFields ?? [];
        const fields = entry?.fieldsV1 ?? {};
        const copy = JSON.parse(JSON.stringify(fields)) as JsonObject;
        expect(JSON.stringify(decodeFields(copy).fields)).toBe(JSON.stringify(fields));
        expect(decodeFields(copy).equals(entry === undefined ? FieldSet.empty : decodeFields(fields))).toBe(true);
      }),
    );
  });
});

function portKey({ port: number, protocol = "TCP" }: { readonly port: number; readonly protocol?: string }): string {
  return `${number}${protocol}`;
}

/** Leaves out what the schema does not declare under the names c and d. */
function declaredPart(body: JsonObject): JsonObject {
  const { c: _c, d: _d, pair: _pair, pairs: _pairs, ...rest } = body;
  if (!Array.isArray(rest["items"])) return rest;
  const items = rest["items"].map(({ c: _1, d: _2, pair: _3, ...kept }: Record<string, Json>) => kept);
  return { ...rest, items };
}
