import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { decodeFields } from "./fields-v1.ts";
import { reconcileWithType } from "./reconcile.ts";
import { valueTypeOf } from "./value-type.ts";

const text: JsonSchema = { type: "string" };
const keyed: JsonSchema = {
  type: "array",
  items: { type: "object", properties: { name: text, inner: { type: "array", items: text } } },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};

describe("a set that was written under an older schema", () => {
  const cases: Record<
    string,
    { readonly schema: JsonSchema; readonly before: JsonObject; readonly after: JsonObject }
  > = {
    "a map that is atomic by now": {
      schema: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
      before: { "f:x": { "f:k": {}, "f:l": {} } },
      after: { "f:x": {} },
    },
    "a struct that is atomic by now": {
      schema: { type: "object", properties: { a: text }, "x-kubernetes-map-type": "atomic" },
      before: { "f:x": { ".": {}, "f:a": {} } },
      after: { "f:x": {} },
    },
    "a list that is atomic by now": {
      schema: { type: "array", items: text },
      before: { "f:x": { 'v:"a"': {} } },
      after: { "f:x": {} },
    },
    "a list in an item that is atomic by now": {
      schema: keyed,
      before: { "f:x": { 'k:{"name":"p"}': { ".": {}, "f:inner": { 'v:"a"': {} } } } },
      after: { "f:x": { 'k:{"name":"p"}': { ".": {}, "f:inner": {} } } },
    },
    "a list that is granular by now": { schema: keyed, before: { "f:x": {} }, after: { "f:x": {} } },
    "a map of anything": {
      schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      before: { "f:x": { "f:k": { "f:l": {} } } },
      after: { "f:x": { "f:k": { "f:l": {} } } },
    },
    "a field that is gone": { schema: text, before: { "f:y": { "f:z": {} } }, after: { "f:y": { "f:z": {} } } },
  };
  test.each(Object.entries(cases))("%s", (_, { schema, before, after }) => {
    const type = valueTypeOf({ type: "object", properties: { x: schema } });
    expect(reconcileWithType(decodeFields(before), type).fields).toEqual(after);
  });
});
