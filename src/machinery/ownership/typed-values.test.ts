import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { compareFields } from "./compare-fields.ts";
import { describePath, type FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { mergeFields } from "./merge-fields.ts";
import { valueTypeOf } from "./value-type.ts";

const text: JsonSchema = { type: "string" };
const pair: JsonSchema = { type: "object", properties: { a: text, b: text } };
const map: JsonSchema = { type: "object", additionalProperties: text };
const set: JsonSchema = { type: "array", items: text, "x-kubernetes-list-type": "set" };
const any: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };
const items: JsonSchema = {
  type: "array",
  items: { type: "object", properties: { name: text, value: text, pair, tags: set, labels: map } },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};
const ports: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" }, note: text },
  },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["port", "protocol"],
};
const nested: JsonSchema = { ...items, items: { type: "object", properties: { name: text, ports } } };

/** Values stand in a field `x`, as they would in an object. */
function typeWith(x: JsonSchema) {
  return valueTypeOf({ type: "object", properties: { x } });
}

function pathsOf(fields: FieldSet): string[] {
  return [...fields.paths()].map(describePath);
}

describe("the fields that a value names", () => {
  const cases: Record<
    string,
    { readonly schema: JsonSchema; readonly value: Json; readonly fields: readonly string[] }
  > = {
    "a scalar": { schema: text, value: "1", fields: [".x"] },
    null: { schema: text, value: null, fields: [".x"] },
    "a struct, through its fields": { schema: pair, value: { a: "1" }, fields: [".x.a"] },
    "an empty struct": { schema: pair, value: {}, fields: [".x"] },
    "null for a struct": { schema: pair, value: null, fields: [".x"] },
    "a struct with a null in it": { schema: pair, value: { a: null }, fields: [".x.a"] },
    "a map, key by key": { schema: map, value: { k: "1", l: "2" }, fields: [".x.k", ".x.l"] },
    "a map of structs, with its keys": {
      schema: { type: "object", additionalProperties: pair },
      value: { k: { a: "1" }, l: {} },
      fields: [".x.k", ".x.l", ".x.k.a"],
    },
    "a map of sets": {
      schema: { type: "object", additionalProperties: set },
      value: { k: ["1"], l: [] },
      fields: [".x.k", ".x.l", '.x.k[="1"]'],
    },
    "an atomic map": { schema: { ...map, "x-kubernetes-map-type": "atomic" }, value: { k: "1" }, fields: [".x"] },
    "an atomic struct": { schema: { ...pair, "x-kubernetes-map-type": "atomic" }, value: { a: "1" }, fields: [".x"] },
    "a list without a type": { schema: { type: "array", items: pair }, value: [{ a: "1" }], fields: [".x"] },
    "a set, value by value": { schema: set, value: ["b", "a"], fields: ['.x[="a"]', '.x[="b"]'] },
    "an empty set": { schema: set, value: [], fields: [] },
    "a set with a value twice": { schema: set, value: ["a", "a", "b"], fields: ['.x[="a"]', '.x[="b"]'] },
    "a keyed list, with its items": {
      schema: items,
      value: [{ name: "p", value: "1" }],
      fields: ['.x[name="p"]', '.x[name="p"].name', '.x[name="p"].value'],
    },
    "a keyed list with an item twice": {
      schema: items,
      value: [{ name: "p", value: "1" }, { name: "p" }],
      fields: ['.x[name="p"]'],
    },
    "an item with structs, sets and maps in it": {
      schema: items,
      value: [{ name: "p", pair: { a: "1" }, tags: ["t"], labels: { k: "1" } }],
      fields: [
        '.x[name="p"]',
        '.x[name="p"].name',
        '.x[name="p"].labels.k',
        '.x[name="p"].pair.a',
        '.x[name="p"].tags[="t"]',
      ],
    },
    "an item whose key is defaulted": {
      schema: ports,
      value: [{ port: 80 }],
      fields: ['.x[port=80,protocol="TCP"]', '.x[port=80,protocol="TCP"].port'],
    },
    "a keyed list in a keyed list, with defaults inside": {
      schema: nested,
      value: [{ name: "p", ports: [{ port: 1, note: "n" }] }],
      fields: [
        '.x[name="p"]',
        '.x[name="p"].name',
        '.x[name="p"].ports[port=1,protocol="TCP"]',
        '.x[name="p"].ports[port=1,protocol="TCP"].note',
        '.x[name="p"].ports[port=1,protocol="TCP"].port',
      ],
    },
    "anything: maps field by field, lists as one": {
      schema: any,
      value: { m: { k: 1 }, l: [{ k: 1 }] },
      fields: [".x.l", ".x.m", ".x.m.k"],
    },
    "an embedded object": {
      schema: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      value: { kind: "K", metadata: { labels: { a: "b" }, finalizers: ["f"] }, spec: { a: 1 } },
      fields: [".x.kind", ".x.spec", '.x.metadata.finalizers[="f"]', ".x.metadata.labels.a", ".x.spec.a"],
    },
  };
  test.each(Object.entries(cases))("%s", (_, { schema, value, fields }) => {
    expect(pathsOf(fieldSetOf({ x: value }, typeWith(schema)))).toEqual(fields);
  });

  test("an earlier set is given back where nothing changed, and used in part where something did", () => {
    const type = typeWith(items);
    const earlier = fieldSetOf({ x: [{ name: "p", pair: { a: "1" } }, { name: "q" }] }, type);
    expect(fieldSetOf({ x: [{ name: "q" }, { name: "p", pair: { a: "2" } }] }, type, earlier)).toBe(earlier);
    const changed = fieldSetOf({ x: [{ name: "p", pair: { a: "1" } }, { name: "r" }] }, type, earlier);
    expect(changed.at("f:x").at('k:{"name":"p"}')).toBe(earlier.at("f:x").at('k:{"name":"p"}'));
    expect(pathsOf(changed)).toContain('.x[name="r"]');
    const twice = fieldSetOf({ x: [{ name: "q" }, { name: "q" }] }, type, earlier);
    expect(pathsOf(twice)).toEqual(['.x[name="q"]']);
  });
});

describe("what changed from one value to the next", () => {
  interface Case {
    readonly schema: JsonSchema;
    readonly from: Json;
    readonly to: Json;
    readonly added?: readonly string[];
    readonly modified?: readonly string[];
    readonly removed?: readonly string[];
  }
  const cases: Record<string, Case> = {
    nothing: { schema: items, from: [{ name: "p" }], to: [{ name: "p" }] },
    "a scalar": { schema: text, from: "1", to: "2", modified: [".x"] },
    "a field of a struct": { schema: pair, from: { a: "1" }, to: { a: "1", b: "2" }, added: [".x.b"] },
    "a struct that loses a field": { schema: pair, from: { a: "1", b: "2" }, to: { b: "2" }, removed: [".x.a"] },
    "a struct that was empty": { schema: pair, from: {}, to: { a: "1" }, added: [".x.a"] },
    "empty to null": { schema: pair, from: {}, to: null, modified: [".x"] },
    "null to fields": { schema: pair, from: null, to: { a: "1" }, added: [".x.a"] },
    "an atomic map": {
      schema: { ...map, "x-kubernetes-map-type": "atomic" },
      from: { k: "1" },
      to: { k: "1", l: "2" },
      modified: [".x"],
    },
    "an atomic list": { schema: { type: "array", items: text }, from: ["a", "b"], to: ["b", "a"], modified: [".x"] },
    "a set in another order": { schema: set, from: ["a", "b"], to: ["b", "a"] },
    "a set with other values": {
      schema: set,
      from: ["a", "b"],
      to: ["b", "c"],
      added: ['.x[="c"]'],
      removed: ['.x[="a"]'],
    },
    "a value that comes a second time": {
      schema: set,
      from: ["a"],
      to: ["a", "a"],
      added: ['.x[="a"]'],
      removed: ['.x[="a"]'],
    },
    "an item": {
      schema: items,
      from: [{ name: "p", value: "1" }],
      to: [
        { name: "q", pair: { a: "1" } },
        { name: "p", value: "2" },
      ],
      added: ['.x[name="q"]', '.x[name="q"].name', '.x[name="q"].pair', '.x[name="q"].pair.a'],
      modified: ['.x[name="p"].value'],
    },
    "items that share a key": {
      schema: items,
      from: [
        { name: "p", value: "1" },
        { name: "p", value: "2" },
      ],
      to: [
        { name: "p", value: "1" },
        { name: "p", value: "3" },
      ],
      modified: ['.x[name="p"]'],
    },
    "items that no longer share a key": {
      schema: items,
      from: [
        { name: "p", value: "1" },
        { name: "p", value: "2" },
      ],
      to: [{ name: "p", value: "1" }],
      added: ['.x[name="p"]', '.x[name="p"].name', '.x[name="p"].value'],
      removed: ['.x[name="p"]'],
    },
    "a key given that was defaulted before": {
      schema: ports,
      from: [{ port: 80 }],
      to: [{ port: 80, protocol: "TCP" }],
      added: ['.x[port=80,protocol="TCP"].protocol'],
    },
    "a scalar that turns into a map": { schema: any, from: 1, to: { k: 1 }, added: [".x.k"], modified: [".x"] },
    "a map that turns into a list": { schema: any, from: { k: 1 }, to: [1], modified: [".x"], removed: [".x.k"] },
    "a number and the same number": { schema: any, from: [1, { a: 2 }], to: [1, { a: 2 }] },
  };
  test.each(Object.entries(cases))("%s", (_, { schema, from, to, added = [], modified = [], removed = [] }) => {
    const found = compareFields({ x: from }, { x: to }, typeWith(schema));
    expect({ added: pathsOf(found.added), modified: pathsOf(found.modified), removed: pathsOf(found.removed) }).toEqual(
      {
        added,
        modified,
        removed,
      },
    );
  });

  test("a whole value that appears takes its containers along", () => {
    const { added } = compareFields({}, { x: [{ name: "p", pair: {} }] }, typeWith(items));
    expect(pathsOf(added)).toEqual([".x", '.x[name="p"]', '.x[name="p"].name', '.x[name="p"].pair']);
  });
});

describe("a configuration laid over a live value", () => {
  const cases: Record<
    string,
    { readonly schema: JsonSchema; readonly live: Json; readonly applied: Json; readonly merged: Json }
  > = {
    "a struct, field by field": { schema: pair, live: { a: "1" }, applied: { b: "2" }, merged: { a: "1", b: "2" } },
    "null over a struct": { schema: pair, live: { a: "1" }, applied: null, merged: { a: "1" } },
    "null over an empty struct": { schema: pair, live: {}, applied: null, merged: null },
    "an empty map over keys": { schema: map, live: { k: "1" }, applied: {}, merged: { k: "1" } },
    "an atomic map, replaced": {
      schema: { ...map, "x-kubernetes-map-type": "atomic" },
      live: { k: "1" },
      applied: { l: "2" },
      merged: { l: "2" },
    },
    "a list without a type, replaced": {
      schema: { type: "array", items: text },
      live: ["a"],
      applied: ["b"],
      merged: ["b"],
    },
    "a set: live values stay, new ones follow": {
      schema: set,
      live: ["a", "b"],
      applied: ["c", "b"],
      merged: ["a", "c", "b"],
    },
    "a set in another order": { schema: set, live: ["a", "b", "c"], applied: ["c", "a"], merged: ["b", "c", "a"] },
    "a set: all new values": { schema: set, live: ["a", "b"], applied: ["c", "d"], merged: ["a", "b", "c", "d"] },
    "an empty set over values": { schema: set, live: ["a"], applied: [], merged: ["a"] },
    "items by their key": {
      schema: items,
      live: [{ name: "p", value: "1" }, { name: "q" }],
      applied: [{ name: "q", value: "2" }, { name: "r" }],
      merged: [{ name: "p", value: "1" }, { name: "q", value: "2" }, { name: "r" }],
    },
    "an item by its defaulted key": {
      schema: ports,
      live: [
        { port: 80, protocol: "TCP", note: "old" },
        { port: 80, protocol: "UDP" },
      ],
      applied: [{ port: 80, note: "new" }],
      merged: [
        { port: 80, protocol: "TCP", note: "new" },
        { port: 80, protocol: "UDP" },
      ],
    },
    "items in items": {
      schema: nested,
      live: [{ name: "p", ports: [{ port: 1 }] }],
      applied: [{ name: "p", ports: [{ port: 2 }, { port: 1, note: "n" }] }],
      merged: [{ name: "p", ports: [{ port: 2 }, { port: 1, note: "n" }] }],
    },
    "items of a live list that share a key are not merged into": {
      schema: items,
      live: [
        { name: "p", value: "1" },
        { name: "p", value: "2" },
      ],
      applied: [{ name: "p", pair: { a: "1" } }],
      merged: [{ name: "p", pair: { a: "1" } }],
    },
    "anything that turns into something else": { schema: any, live: { k: 1 }, applied: [1], merged: [1] },
    "null over anything but a map": { schema: any, live: [1], applied: null, merged: null },
    "null over a map of anything": { schema: any, live: { k: 1 }, applied: null, merged: { k: 1 } },
    "a field that has a name of its own in the language": {
      schema: map,
      live: JSON.parse('{"__proto__":"1"}'),
      applied: JSON.parse('{"__proto__":"2","constructor":"3"}'),
      merged: JSON.parse('{"__proto__":"2","constructor":"3"}'),
    },
  };
  test.each(Object.entries(cases))("%s", (_, { schema, live, applied, merged }) => {
    expect(JSON.stringify(mergeFields({ x: live }, { x: applied }, typeWith(schema)))).toBe(
      JSON.stringify({ x: merged }),
    );
  });

  test("what does not change is the live value itself", () => {
    const live = { x: [{ name: "p", tags: ["a"], pair: { a: "1" } }, { name: "q" }] };
    const type = typeWith(items);
    expect(mergeFields(live, { x: [{ name: "p", pair: { a: "1" }, tags: ["a"] }] }, type)).toBe(live);
    const merged = mergeFields(live, { x: [{ name: "q", value: "2" }] }, type);
    expect(merged).toEqual({ x: [live.x[0], { name: "q", value: "2" }] });
  });
});
