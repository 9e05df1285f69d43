import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFieldError } from "../../field-error.ts";
import { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { checkStructural, isNonStructural, valueDefaultErrors, valueSchemaErrors } from "./check-structural.ts";

// What Kubernetes says about schemas of resources is recorded; see ../../crd/recorded.test.ts.
const path = FieldPath.of("schema");

describe("the schema of a value that is no resource", () => {
  test.each<readonly [string, JsonSchema, readonly string[]]>([
    ["may be of any type", { type: "string" }, []],
    ["needs a type", {}, ["schema.type: Required value: must not be empty for specified object fields"]],
    [
      "may describe metadata like any other field",
      { type: "object", properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } } },
      [],
    ],
    [
      "has its errors in the order of their texts",
      { type: "array", items: {}, pattern: "(", anyOf: [{ type: "string" }] },
      [
        "schema.anyOf[0].type: Forbidden: must be empty to be structural",
        "schema.items.type: Required value: must not be empty for specified array items",
        'schema.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    ],
  ])("%s", (_, schema, errors) => {
    expect(valueSchemaErrors(schema, path).map(describeFieldError)).toEqual(errors);
  });

  test("has defaults that fit, also one at its root", () => {
    const schema: JsonSchema = {
      type: "object",
      default: { a: 1, b: 1 },
      properties: { a: { type: "string", maxLength: 1, default: "ab" } },
    };
    expect(valueDefaultErrors(schema, path).map(describeFieldError)).toEqual([
      'schema.default: Invalid value: {"a":1,"b":1}: must not have unknown fields',
      'schema.default.a: Invalid value: "integer": a in body must be of type string: "integer"',
      "schema.properties[a].default: Too long: may not be more than 1 byte",
    ]);
  });
});

describe("rules that an older definition broke", () => {
  const set: JsonSchema = {
    type: "object",
    properties: { s: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } } },
  };

  test("may go on being broken where they are relaxed", () => {
    expect(checkStructural(set, path).length).toBe(1);
    expect(checkStructural(set, path, { requireAtomicSets: false })).toEqual([]);
    expect(checkStructural({ type: "odd" }, path, { requireKnownTypes: false, requireStructural: false })).toEqual([]);
  });

  test("are found by looking at the schema", () => {
    expect(isNonStructural(set, path)).toBe(false);
    expect(isNonStructural({ type: "object", properties: { a: {} } }, path)).toBe(true);
    expect(isNonStructural({ $ref: "#" } as JsonSchema, path)).toBe(true);
  });
});

test("whatever the keywords say, checking a schema does not throw", () => {
  const leaf = fc.record(
    {
      type: fc.constantFrom("object", "array", "string", "odd", ""),
      default: fc.jsonValue({ maxDepth: 2 }),
      enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }),
      pattern: fc.string({ maxLength: 5 }),
      required: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
      "x-kubernetes-list-type": fc.constantFrom("set", "map", "atomic"),
      "x-kubernetes-list-map-keys": fc.array(fc.constantFrom("a", "metadata"), { maxLength: 2 }),
      "x-kubernetes-embedded-resource": fc.boolean(),
      "x-kubernetes-int-or-string": fc.boolean(),
      "x-kubernetes-preserve-unknown-fields": fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const around = (inside: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    fc
      .tuple(leaf, inside, fc.constantFrom("items", "properties", "additionalProperties", "anyOf", "not"))
      .map(([schema, below, name]) => {
        const nested = { properties: { metadata: below, a: below }, anyOf: [below] };
        return { ...schema, [name]: name === "properties" || name === "anyOf" ? nested[name] : below };
      });
  fc.assert(
    fc.property(around(around(leaf)), (schema) => {
      const errors = checkStructural(schema, path, { hasStatus: true });
      expect(errors.map(describeFieldError).every((text) => text.includes(": "))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
