import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { assertOfType, TypedValueError } from "./check-type.ts";
import { objectTypeOf } from "./value-type.ts";

const text: JsonSchema = { type: "string" };

const schema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        count: { type: "integer" },
        flag: { type: "boolean" },
        when: { type: "string", format: "date-time" },
        amount: { "x-kubernetes-int-or-string": true },
        struct: { type: "object", properties: { a: text } },
        map: { type: "object", additionalProperties: text },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        half: { type: "object", properties: { a: text }, "x-kubernetes-preserve-unknown-fields": true },
        closed: { type: "object", properties: { a: text }, additionalProperties: false },
        embedded: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
        list: { type: "array", items: text },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          items: { type: "object", properties: { name: text, port: { type: "integer", default: 80 } } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "port"],
        },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { name: text, tags: { type: "array", items: text, "x-kubernetes-list-type": "set" } },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
      },
    },
  },
};
const type = objectTypeOf(schema);

describe("what is wrong with a value, in Kubernetes' words", () => {
  const cases: Record<string, { readonly spec: Json; readonly says: string }> = {
    "unknown field": { spec: { zzz: 1 }, says: ".spec.zzz: field not declared in schema" },
    "unknown field in a struct": { spec: { struct: { q: 1 } }, says: ".spec.struct.q: field not declared in schema" },
    "unknown field where none may be": {
      spec: { closed: { q: 1 } },
      says: ".spec.closed.q: field not declared in schema",
    },
    "unknown field of an embedded object": {
      spec: { embedded: { q: 1 } },
      says: ".spec.embedded.q: field not declared in schema",
    },
    "unknown field of embedded metadata": {
      spec: { embedded: { metadata: { q: 1 } } },
      says: ".spec.embedded.metadata.q: field not declared in schema",
    },
    "number for text": {
      spec: { name: 5 },
      says: ".spec.name: expected string, got &value.valueUnstructured{Value:5}",
    },
    "map for text": {
      spec: { name: { b: [true, "x"], a: 1 } },
      says: '.spec.name: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":1, "b":[]interface {}{true, "x"}}}',
    },
    "text for a number": { spec: { count: "x" }, says: ".spec.count: expected numeric (int or float), got string" },
    "list for a number": {
      spec: { count: [1] },
      says: ".spec.count: expected numeric (int or float), got []interface {}",
    },
    "map for a number": {
      spec: { count: {} },
      says: ".spec.count: expected numeric (int or float), got map[string]interface {}",
    },
    "flag for a number": { spec: { count: true }, says: ".spec.count: expected numeric (int or float), got bool" },
    "text for a flag": { spec: { flag: "x" }, says: ".spec.flag: expected boolean, got &{x}" },
    "map for a flag": {
      spec: { flag: { a: [1, "b", null, 1.5] } },
      says: ".spec.flag: expected boolean, got &{map[a:[1 b <nil> 1.5]]}",
    },
    "map for a time": { spec: { when: { a: 1 } }, says: ".spec.when: expected any scalar, got &{map[a:1]}" },
    "text for a struct": { spec: { struct: "s" }, says: ".spec.struct: expected map, got &{s}" },
    "text for a list": { spec: { set: "s" }, says: ".spec.set: expected list, got &{s}" },
    "wrong item of a plain list": {
      spec: { list: ["a", 1] },
      says: ".spec.list[1]: expected string, got &value.valueUnstructured{Value:1}",
    },
    "value twice in a set": { spec: { set: ["a", "b", "a"] }, says: '.spec.set: duplicate entries for key [="a"]' },
    "null in a set": {
      spec: { set: [null] },
      says: ".spec.set: element 0: associative list without keys has an element that's an explicit null",
    },
    "map in a set": {
      spec: { set: [{ a: 1 }] },
      says: ".spec.set: element 0: associative list without keys has an element that's a map type",
    },
    "list in a set": {
      spec: { set: [["a"]] },
      says: ".spec.set: element 0: not supported: associative list with lists as elements",
    },
    "item twice, once by default": {
      spec: { ports: [{ name: "a" }, { name: "a", port: 80 }] },
      says: '.spec.ports: duplicate entries for key [name="a",port=80]',
    },
    "null in a keyed list": {
      spec: { items: [null] },
      says: ".spec.items: element 0: associative list with keys may not have a null element",
    },
    "text in a keyed list": {
      spec: { items: ["x"] },
      says: ".spec.items: element 0: associative list with keys may not have non-map elements",
    },
    "item without keys": {
      spec: { items: [{ name: "a" }, {}] },
      says: '.spec.items: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    },
    "value twice inside an item": {
      spec: { items: [{ name: "a", tags: ["x", "x"] }] },
      says: '.spec.items[name="a"].tags: duplicate entries for key [="x"]',
    },
    "several things": {
      spec: { struct: { q: 1 }, name: true },
      says: "errors:\n  .spec.struct.q: field not declared in schema\n  .spec.name: expected string, got &value.valueUnstructured{Value:true}",
    },
  };
  test.each(Object.entries(cases))("%s", (_, { spec, says }) => {
    expect(problemOf({ spec })).toBe(says);
  });
});

describe("what is fine", () => {
  const cases: Record<string, Json> = {
    "null anywhere": { name: null, count: null, struct: null, set: null, items: null, free: null },
    "a number or a text where both may be": { amount: 1 },
    "anything in a map that keeps unknown fields": { free: { a: [{ b: 1 }] }, half: { a: "x", b: { c: [1] } } },
    "an item whose keys are defaulted": { ports: [{}] },
    "an embedded object": {
      embedded: { apiVersion: "v1", kind: "X", metadata: { labels: { a: "b" } }, spec: { any: 1 } },
    },
  };
  test.each(Object.entries(cases))("%s", (_, spec) => {
    expect(() => assertOfType({ spec }, type, { duplicates: "refused" })).not.toThrow();
  });

  test("values twice in a set, where an object is stored already", () => {
    expect(() => assertOfType({ spec: { set: ["a", "a"] } }, type, { duplicates: "allowed" })).not.toThrow();
  });
});

test("metadata has the fields it has in every kind", () => {
  const wrong = { metadata: { name: "a", foo: 1 } };
  expect(() => assertOfType(wrong, type, { duplicates: "refused" })).toThrow(
    ".metadata.foo: field not declared in schema",
  );
});

function problemOf(value: Json): string {
  try {
    assertOfType(value, type, { duplicates: "refused" });
    return "";
  } catch (error) {
    return error instanceof TypedValueError ? error.message : String(error);
  }
}
