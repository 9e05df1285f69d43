/** Schemas that a real API server is asked about when they stand at the root of a definition, by what is tried. */
export const schemaCases: { readonly [name: string]: object } = {
  fine: {
    type: "object",
    properties: { spec: { type: "object", properties: { a: { type: "string", default: "x" } } } },
  },
  "no type at the root": { properties: { spec: { type: "object" } } },
  "another type at the root": { type: "string" },
  "an array at the root": { type: "array", items: { type: "string" } },
  "preserving root without a type": { "x-kubernetes-preserve-unknown-fields": true },
  "no types below": spec({ properties: { a: {}, b: { type: "array", items: {} }, c: { additionalProperties: {} } } }),
  "array without items": spec({ type: "array" }),
  "array of schemas as items": spec({ type: "array", items: [{ type: "string" }] }),
  "unknown type": spec({ type: "text" }),
  "type null": spec({ type: "null" }),
  "additionalProperties at the root": { type: "object", additionalProperties: { type: "string" } },
  "additionalProperties beside properties": spec({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "string" },
  }),
  "additionalProperties true beside properties": spec({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: true,
  }),
  "additionalProperties false beside properties": spec({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: false,
  }),
  nullable: { type: "object", nullable: true },
  $ref: spec({ $ref: "#/definitions/a" }),
  "unsupported keywords": spec({
    type: "object",
    id: "x",
    patternProperties: { a: { type: "string" } },
    definitions: { d: { type: "string" } },
    dependencies: { a: ["b"] },
    additionalItems: true,
  }),
  uniqueItems: spec({ type: "array", uniqueItems: true, items: { type: "string" } }),
  "broken pattern": spec({ type: "string", pattern: "(" }),
  "broken pattern in a branch": spec({ type: "string", anyOf: [{ pattern: "a**" }] }),
  "structure in branches": spec({
    type: "object",
    properties: { a: { type: "string" } },
    anyOf: [
      {
        type: "object",
        description: "d",
        title: "t",
        default: {},
        nullable: true,
        additionalProperties: true,
        properties: { a: { type: "string", items: { type: "string" } }, metadata: {} },
      },
    ],
    allOf: [{ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true }],
    oneOf: [
      { "x-kubernetes-int-or-string": true, "x-kubernetes-list-map-keys": ["a"], "x-kubernetes-list-type": "map" },
    ],
    not: { "x-kubernetes-map-type": "atomic", "x-kubernetes-validations": [{ rule: "true" }] },
  }),
  "branches at the root": {
    type: "object",
    properties: { spec: { type: "object", properties: { a: { type: "array", items: { type: "string" } } } } },
    anyOf: [
      { required: ["spec"] },
      { properties: { spec: { properties: { b: { minLength: 1 }, a: { items: { minLength: 1 } } } } } },
    ],
    not: { properties: { spec: { items: { minLength: 1 } } } },
  },
  "branches below": spec({ type: "object", anyOf: [{ properties: { unknown: { minLength: 1 } } }] }),
  "int-or-string": spec({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }),
  "int-or-string in allOf": spec({
    "x-kubernetes-int-or-string": true,
    allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minimum: 1 }],
  }),
  "int-or-string turned round": spec({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "string" }, { type: "integer" }],
  }),
  "int-or-string with others": spec({
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-embedded-resource": true,
  }),
  "preserve false": spec({ type: "object", "x-kubernetes-preserve-unknown-fields": false }),
  "embedded without properties": spec({ type: "object", "x-kubernetes-embedded-resource": true }),
  "embedded of another type": spec({
    type: "string",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "embedded without a type": spec({
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "embedded with additionalProperties": spec({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    additionalProperties: { type: "string" },
  }),
  "embedded with odd metadata": spec({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: {
      kind: { type: "integer" },
      apiVersion: { type: "boolean" },
      metadata: { type: "string" },
    },
  }),
  "embedded inside metadata": {
    type: "object",
    properties: {
      metadata: {
        type: "object",
        properties: {
          name: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        },
      },
    },
  },
  "metadata at the root": {
    type: "object",
    properties: {
      metadata: {
        type: "object",
        properties: { name: { type: "string", maxLength: 3 }, generateName: { type: "string" } },
      },
    },
  },
  "too much metadata": {
    type: "object",
    properties: {
      kind: { type: "integer" },
      apiVersion: {},
      metadata: { type: "object", properties: { labels: { type: "object" } } },
    },
  },
  "described metadata": { type: "object", properties: { metadata: { type: "object", description: "d" } } },
  "metadata of another type": {
    type: "object",
    properties: { metadata: { type: "array", items: { type: "string" } } },
  },
  "defaults in metadata": {
    type: "object",
    properties: {
      kind: { type: "string", default: "K" },
      metadata: { type: "object", default: { name: "a" }, properties: { name: { type: "string", default: "x" } } },
    },
  },
  "map type": spec({ type: "array", items: { type: "string" }, "x-kubernetes-map-type": "atomic" }),
  "map type without a type": spec({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic" }),
  "unknown map type": spec({ type: "object", "x-kubernetes-map-type": "odd" }),
  "list type": spec({ type: "object", "x-kubernetes-list-type": "set" }),
  "list type without a type": spec({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-list-type": "set" }),
  "unknown list type": spec({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "odd" }),
  "keys without map": spec({ type: "array", items: { type: "string" }, "x-kubernetes-list-map-keys": ["a"] }),
  "keys with set": spec({
    type: "array",
    items: { type: "string" },
    "x-kubernetes-list-type": "set",
    "x-kubernetes-list-map-keys": ["a"],
  }),
  "map without keys": spec({ type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" }),
  "map of scalars": spec({
    type: "array",
    items: { type: "string" },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a"],
  }),
  "map without items": spec({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
  "odd map keys": spec({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a", "b", "c", "a", "missing"],
    items: {
      type: "object",
      nullable: true,
      required: ["a"],
      properties: { a: { type: "object" }, b: { type: "string" }, c: { type: "string", default: "c", nullable: true } },
    },
  }),
  "sets of lists and objects": spec({
    type: "object",
    properties: {
      a: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      },
      b: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "object", properties: { x: { type: "string" } } },
      },
      c: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", nullable: true } },
    },
  }),
  "defaults of wrong types": spec({
    type: "object",
    properties: {
      a: { type: "integer", default: "x" },
      b: { type: "string", enum: ["y"], default: "x" },
      c: { type: "object", default: { unknown: 1 }, properties: { d: { type: "string" } } },
      e: { type: "array", items: { type: "string", maxLength: 1 }, default: ["ab"] },
      f: { type: "integer", format: "int32", default: true },
      g: { "x-kubernetes-int-or-string": true, default: true },
      h: { type: "boolean", format: "odd", default: "text" },
      i: { type: "object", default: {}, required: ["d"], properties: { d: { type: "string", default: "x" } } },
      j: { type: "array", items: { type: "string", default: 5 } },
      k: { type: "object", additionalProperties: { type: "string", default: 5 } },
      l: { type: "string", default: null },
      m: { type: "object", default: { kind: "x" } },
      n: { type: "object", default: { d: null }, properties: { d: { type: "string" } } },
    },
  }),
  "defaults of embedded resources": spec({
    type: "object",
    properties: {
      a: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        default: { apiVersion: "v1" },
      },
      b: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        default: { apiVersion: "v1", kind: "K", metadata: { name: 5 } },
      },
      c: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        properties: {
          kind: { type: "string", default: "Bad_Kind" },
          metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } },
        },
      },
    },
  }),
  "defaults in embedded metadata maps": spec({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: {
      metadata: {
        type: "object",
        properties: { labels: { type: "object", additionalProperties: { type: "string", default: "x" } } },
      },
    },
  }),
  "quoted names": spec({ type: "object", properties: { "a.b": { type: "x<y" }, "": {} } }),
};

function spec(schema: object): object {
  return { type: "object", properties: { spec: schema } };
}
