import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { FieldSet, type Path } from "./field-set.ts";
import { extractFields, removeFields } from "./remove-fields.ts";
import { valueTypeOf } from "./value-type.ts";

const text: JsonSchema = { type: "string" };
const type = valueTypeOf({
  type: "object",
  properties: {
    a: text,
    pair: { type: "object", properties: { a: text, b: text } },
    map: { type: "object", additionalProperties: text },
    set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    list: { type: "array", items: text },
    items: {
      type: "array",
      items: { type: "object", properties: { name: text, value: text, other: text } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
  },
});

const value = {
  a: "1",
  pair: { a: "1", b: "2" },
  map: { k: "1" },
  set: ["x", "y"],
  list: ["x"],
  items: [
    { name: "p", value: "1", other: "o" },
    { name: "q", value: "2" },
  ],
};

describe("a value without some fields", () => {
  const cases: Record<string, { readonly paths: readonly Path[]; readonly left: Json }> = {
    "a field": { paths: [["f:a"]], left: { ...value, a: undefined } as unknown as Json },
    "a field of a struct": { paths: [["f:pair", "f:a"]], left: { ...value, pair: { b: "2" } } },
    "all fields of a struct, which is null then": {
      paths: [
        ["f:pair", "f:a"],
        ["f:pair", "f:b"],
      ],
      left: { ...value, pair: null },
    },
    "a struct": { paths: [["f:pair"], ["f:pair", "f:a"]], left: { ...value, pair: undefined } as unknown as Json },
    "the last key of a map, which is null then": { paths: [["f:map", "f:k"]], left: { ...value, map: null } },
    "a value of a set": { paths: [["f:set", 'v:"x"']], left: { ...value, set: ["y"] } },
    "all values of a set, which is null then": {
      paths: [
        ["f:set", 'v:"x"'],
        ["f:set", 'v:"y"'],
      ],
      left: { ...value, set: null },
    },
    "an item": { paths: [["f:items", 'k:{"name":"p"}']], left: { ...value, items: [value.items[1] ?? null] } },
    "a field of an item": {
      paths: [["f:items", 'k:{"name":"p"}', "f:value"]],
      left: { ...value, items: [{ name: "p", other: "o" }, value.items[1] ?? null] },
    },
    "a list without a type": { paths: [["f:list"]], left: { ...value, list: undefined } as unknown as Json },
    "what is not there": { paths: [["f:zzz"], ["f:set", 'v:"z"'], ["f:a", "f:b"]], left: value },
  };
  test.each(Object.entries(cases))("%s", (_, { paths, left }) => {
    expect(JSON.stringify(removeFields(value, FieldSet.of(...paths), type))).toBe(JSON.stringify(left));
  });

  test("nothing to remove gives the value itself", () => {
    expect(removeFields(value, FieldSet.of(["f:zzz"], ["f:items", 'k:{"name":"z"}']), type)).toBe(value);
  });
});

describe("what a set names of a value", () => {
  const cases: Record<string, { readonly paths: readonly Path[]; readonly found: Json | undefined }> = {
    "a field": { paths: [["f:a"]], found: { a: "1" } },
    "a field of a struct": { paths: [["f:pair", "f:b"]], found: { pair: { b: "2" } } },
    "a whole struct": { paths: [["f:pair"]], found: { pair: { a: "1", b: "2" } } },
    "a value of a set": { paths: [["f:set", 'v:"y"']], found: { set: ["y"] } },
    "a field of an item, with the keys of the item": {
      paths: [["f:items", 'k:{"name":"p"}', "f:other"]],
      found: { items: [{ name: "p", other: "o" }] },
    },
    "an item and one of its fields": {
      paths: [
        ["f:items", 'k:{"name":"q"}'],
        ["f:items", 'k:{"name":"q"}', "f:name"],
      ],
      found: { items: [{ name: "q" }] },
    },
    "nothing that is there": { paths: [["f:zzz"], ["f:items", 'k:{"name":"z"}', "f:other"]], found: undefined },
  };
  test.each(Object.entries(cases))("%s", (_, { paths, found }) => {
    expect(extractFields(value, FieldSet.of(...paths), type)).toEqual(found);
  });
});
