import type { Json, JsonSchema } from "#machinery";

/** A schema and the values that a real API server is asked about. */
export interface ValueCases {
  readonly schema: JsonSchema;
  readonly values: readonly Json[];
}

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const named: JsonSchema = { type: "object", properties: { name: text, port: integer } };
const withFormat = (format: string): JsonSchema => ({ type: "string", format });

/** Every keyword passing and failing, by what is tried. */
export const valueCases: { readonly [name: string]: ValueCases } = {
  string: { schema: text, values: ["a", "", 1, 1.5, true, null, [], {}] },
  integer: {
    schema: integer,
    values: [1, -1, 1.5, 5.000_000_001, "1", true, null, [1], { a: 1 }, 1e20, 9007199254740991],
  },
  number: { schema: { type: "number" }, values: [1, 1.5, "1", false, null] },
  boolean: { schema: { type: "boolean" }, values: [true, "true", 0, null] },
  object: { schema: { type: "object" }, values: [{}, [], "a", null, 3] },
  list: { schema: { type: "array", items: text }, values: [[], ["a"], [1, "b", null, {}], "a", {}] },
  nullable: { schema: { type: "string", nullable: true }, values: [null, "a", 1] },
  "nullable enum": { schema: { type: "string", nullable: true, enum: ["a"] }, values: [null, "a", "b"] },
  "enum of texts": { schema: { type: "string", enum: ["red", "green", 'a"b'] }, values: ["red", "blue", 1, null] },
  "enum of numbers": { schema: { type: "number", enum: [1, 2.5] }, values: [1, 2.5, 1.5, 3, "1"] },
  "enum of objects": {
    schema: { type: "object", properties: { a: integer }, enum: [{ a: 1 }] },
    values: [{ a: 1 }, { a: 2 }, {}],
  },
  minimum: { schema: { type: "integer", minimum: 3 }, values: [3, 2, -9] },
  "minimum of a fraction": {
    schema: { type: "number", minimum: 0.5, exclusiveMinimum: true },
    values: [0.5, 0.6, 0, 1, -1],
  },
  "tiny minimum": { schema: { type: "number", minimum: 0.000_01 }, values: [0.000_001, 0.5] },
  maximum: { schema: { type: "integer", maximum: 10, exclusiveMaximum: true }, values: [9, 10, 11] },
  "maximum of a fraction": { schema: { type: "number", maximum: 2.5 }, values: [2, 2.5, 3, 2.6] },
  "big maximum": { schema: { type: "number", maximum: 1e21 }, values: [1e22, 5.5] },
  "both ends": { schema: { type: "integer", minimum: 5, maximum: 3 }, values: [4] },
  multipleOf: { schema: { type: "integer", multipleOf: 5 }, values: [10, 7, -5] },
  "multipleOf a fraction": { schema: { type: "number", multipleOf: 0.1 }, values: [0.3, 0.35, 1, 7] },
  lengths: {
    schema: { type: "string", minLength: 2, maxLength: 4 },
    values: ["ab", "a", "abcde", "äöü", "😀", "😀😀😀😀", "😀😀😀😀😀", ""],
  },
  pattern: { schema: { type: "string", pattern: "^[a-z]+$" }, values: ["abc", "ABC", "", "a\nb"] },
  "pattern not anchored": { schema: { type: "string", pattern: "b\\d" }, values: ["ab1c", "abc"] },
  "pattern and length": { schema: { type: "string", pattern: "^x", minLength: 3 }, values: ["y", "yyyy"] },
  items: {
    schema: { type: "array", minItems: 1, maxItems: 2, items: { type: "integer", minimum: 1 } },
    values: [[], [1], [0, 5, 0], [1, 2, 3]],
  },
  required: {
    schema: { type: "object", required: ["a", "b"], properties: { a: text, b: text } },
    values: [{}, { a: "x" }, { a: "x", b: "y" }, { a: null, b: "y" }],
  },
  counts: {
    schema: { type: "object", minProperties: 1, maxProperties: 2, additionalProperties: text },
    values: [{}, { a: "1" }, { a: "1", b: "2", c: "3" }, { a: 1 }],
  },
  "map of lists": {
    schema: { type: "object", additionalProperties: { type: "array", items: { type: "string", maxLength: 1 } } },
    values: [{ a: ["b"], c: [] }, { a: ["bb"] }, { "x.y": ["long"] }, { a: "b" }],
  },
  "additionalProperties true": {
    schema: { type: "object", additionalProperties: true },
    values: [{ a: 1, b: { c: 1 }, d: [{ e: 1 }, [{ f: 2 }]] }],
  },
  "additionalProperties false": { schema: { type: "object", additionalProperties: false }, values: [{}, { a: 1 }] },
  allOf: {
    schema: { type: "integer", allOf: [{ minimum: 3 }, { maximum: 5 }, { multipleOf: 2 }] },
    values: [4, 7, 1, "x"],
  },
  "allOf, none": { schema: { type: "integer", allOf: [{ minimum: 3 }, { enum: [9] }] }, values: [1, 3] },
  anyOf: {
    schema: { type: "object", properties: { a: text, b: integer }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    values: [{ a: "x" }, { b: 1 }, {}, { a: 1 }],
  },
  "anyOf, the best branch": {
    schema: {
      type: "object",
      properties: { a: text, b: integer, c: integer },
      anyOf: [
        { properties: { a: { enum: ["x"] } } },
        { properties: { a: { minLength: 1 }, b: { minimum: 3 }, c: { maximum: 1 } } },
      ],
    },
    values: [
      { a: "y", b: 4, c: 2 },
      { a: "y", b: 4, c: 1 },
      { a: "x", b: 0, c: 5 },
    ],
  },
  oneOf: {
    schema: { type: "integer", oneOf: [{ minimum: 3 }, { maximum: 5 }] },
    values: [1, 4, 9],
  },
  "oneOf, none": { schema: { type: "string", oneOf: [{ enum: ["a"] }, { minLength: 3 }] }, values: ["b", "a", "abc"] },
  not: { schema: { type: "integer", not: { minimum: 5 } }, values: [1, 6] },
  "nested combinations": {
    schema: {
      type: "object",
      properties: { list: { type: "array", items: { type: "object", properties: { n: integer } } } },
      allOf: [{ properties: { list: { items: { not: { properties: { n: { enum: [13] } } } } } } }],
    },
    values: [{ list: [{ n: 1 }] }, { list: [{ n: 1 }, { n: 13 }] }],
  },
  "int-or-string": {
    schema: { "x-kubernetes-int-or-string": true },
    values: [1, "50%", 1.5, true, null, {}],
  },
  "int-or-string with anyOf": {
    schema: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+%$",
    },
    values: [1, "50%", "x", true],
  },
  "preserve unknown fields": {
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: named } },
    values: [
      { a: { b: [1, { c: 2 }] }, known: { name: "n", other: 1 } },
      { known: null, a: null },
    ],
  },
  "preserve without a type": {
    schema: { "x-kubernetes-preserve-unknown-fields": true },
    values: [1, "a", [{ a: 1 }], { a: null }, null],
  },
  "preserve lists": {
    schema: {
      type: "array",
      "x-kubernetes-preserve-unknown-fields": true,
      items: { type: "object", properties: { known: named } },
    },
    values: [[{ a: 1, known: { b: 2, name: "x" } }]],
  },
  prune: {
    schema: {
      type: "object",
      properties: { list: { type: "array", items: named }, map: { type: "object", additionalProperties: named } },
    },
    values: [
      { list: [{ name: "a", x: 1 }, { port: 1 }], map: { k: { y: 1, name: "b" } }, z: { deep: 1 }, constructor: 1 },
      { list: [], map: {} },
      { list: [null], map: { k: null } },
    ],
  },
  nulls: {
    schema: {
      type: "object",
      properties: {
        plain: text,
        defaulted: { type: "string", default: "d" },
        nullable: { type: "string", nullable: true, default: "n" },
        inner: named,
      },
    },
    values: [{ plain: null, defaulted: null, nullable: null, inner: { name: null } }, {}, { defaulted: "own" }],
  },
  defaults: {
    schema: {
      type: "object",
      properties: {
        list: {
          type: "array",
          items: {
            type: "object",
            properties: { size: { type: "integer", default: 3 }, tags: { type: "array", items: text, default: ["a"] } },
          },
        },
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { on: { type: "boolean", default: true } } },
        },
        whole: { type: "object", default: { a: 1 }, properties: { a: integer, b: { type: "integer", default: 2 } } },
        absent: { type: "object", properties: { never: { type: "integer", default: 1 } } },
      },
    },
    values: [
      {},
      { list: [{}, { size: 1 }], map: { x: {}, y: { on: false } } },
      { whole: {} },
      { whole: null },
      { absent: {} },
    ],
  },
  "default items": { schema: { type: "array", items: { type: "string", default: "d" } }, values: [[null, "a"]] },
  "list set": {
    schema: { type: "array", "x-kubernetes-list-type": "set", items: text },
    values: [
      ["a", "b"],
      ["a", "b", "a"],
      ["a", "a", "a", "b", "b"],
    ],
  },
  "list set of objects": {
    schema: { type: "array", "x-kubernetes-list-type": "set", items: { ...named, "x-kubernetes-map-type": "atomic" } },
    values: [
      [{ name: "a" }, { name: "b" }],
      [
        { name: "a", port: 1 },
        { port: 1, name: "a" },
      ],
    ],
  },
  "list map": {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { ...named, required: ["name"] },
    },
    values: [
      [{ name: "a" }, { name: "b" }],
      [
        { name: "a", port: 1 },
        { name: "a", port: 2 },
      ],
      [{}, {}],
      [{ name: "a" }, 3],
    ],
  },
  "list map with two keys": {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
      items: { ...named, required: ["name", "port"] },
    },
    values: [
      [
        { name: "a", port: 1 },
        { name: "a", port: 2 },
      ],
      [
        { name: "a", port: 1 },
        { port: 1, name: "a" },
      ],
    ],
  },
  "embedded resource": {
    schema: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    values: [
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { x: "y" } }, spec: { a: 1 } },
      {},
      { apiVersion: "a/b/c", kind: "Bad_Kind" },
      { apiVersion: "", kind: "" },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a/b", foo: 1, labels: { "-": "v al" }, ownerReferences: [{ bar: 1 }] },
      },
      { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: null, labels: {}, name: "" } },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { namespace: "A", generation: -1, finalizers: ["a b"], annotations: { "x/y/z": "1" } },
      },
    ],
  },
  "embedded resource, pruned": {
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: named },
    },
    values: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { name: "x", y: 1 }, other: 1 }],
  },
  "embedded resource, malformed": {
    schema: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    values: [
      { apiVersion: 1, kind: "Pod" },
      { apiVersion: "v1", kind: "Pod", metadata: "x" },
      { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } },
      { apiVersion: "v1", kind: "Pod", metadata: { name: 5 } },
      { apiVersion: "v1", kind: "Pod", metadata: { generation: 1.5 } },
      { apiVersion: "v1", kind: "Pod", metadata: { ownerReferences: [{ name: true }], finalizers: {} } },
      { apiVersion: "v1", kind: "Pod", metadata: null },
      { apiVersion: "v1", kind: null },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { labels: { a: null }, ownerReferences: [{}], creationTimestamp: "2020-01-01T01:00:00.5+01:00" },
      },
    ],
  },
  "format on other types": { schema: withFormat("date"), values: [1, 1.5, true, [], {}, null, "2020-01-01"] },
  "format on an integer": { schema: { type: "integer", format: "int32" }, values: [1, 3_000_000_000, "x", true] },
  "unknown format": { schema: withFormat("wish"), values: ["anything"] },
  "formats of both": { schema: { type: "string", format: "date", maxLength: 3 }, values: ["20-1"] },
};
