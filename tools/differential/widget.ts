import type { JsonSchema } from "#machinery";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };

const pair: JsonSchema = { type: "object", properties: { a: text, b: text } };

const port: JsonSchema = {
  type: "object",
  required: ["port"],
  properties: { port: integer, protocol: { type: "string", default: "TCP" }, note: text, weight: integer },
};

const item: JsonSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: text,
    value: text,
    tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    labels: { type: "object", additionalProperties: text },
    pair,
    children: {
      type: "array",
      items: { type: "object", required: ["id"], properties: { id: integer, v: text, pair } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["id"],
    },
  },
};

const spec: JsonSchema = {
  type: "object",
  properties: {
    text,
    count: integer,
    ratio: { type: "number" },
    flag: { type: "boolean" },
    when: { type: "string", format: "date-time" },
    amount: { "x-kubernetes-int-or-string": true },
    maybe: { type: "string", nullable: true },
    maybePair: { ...pair, nullable: true },
    struct: { type: "object", properties: { a: text, inner: pair } },
    granular: { type: "object", additionalProperties: text },
    atomicMap: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
    atomicStruct: { ...pair, "x-kubernetes-map-type": "atomic" },
    structs: { type: "object", additionalProperties: pair },
    setsByKey: {
      type: "object",
      additionalProperties: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    },
    set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    numbers: { type: "array", items: integer, "x-kubernetes-list-type": "set" },
    atomicList: { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
    plainList: { type: "array", items: pair },
    items: {
      type: "array",
      items: item,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    ports: {
      type: "array",
      items: port,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    },
    any: { "x-kubernetes-preserve-unknown-fields": true },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    half: { type: "object", properties: { known: pair }, "x-kubernetes-preserve-unknown-fields": true },
    deep: { type: "object", properties: { one: { type: "object", properties: { two: pair } } } },
  },
};

const status: JsonSchema = {
  type: "object",
  properties: {
    phase: text,
    conditions: {
      type: "array",
      items: { type: "object", required: ["type"], properties: { type: text, status: text, reason: text } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
  },
};

/** A kind with every type of list and map, in each other. */
export const widgetSchema: JsonSchema = { type: "object", properties: { spec, status } };

/** The versions it is served in, all with the same schema. */
export const widgetApiVersions = ["differential.test/v1", "differential.test/v2"] as const;

/** Its definition, as the real server takes it. */
export const widgetDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.differential.test" },
  spec: {
    group: "differential.test",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      subresources: { status: {} },
      schema: { openAPIV3Schema: widgetSchema },
    })),
  },
};
