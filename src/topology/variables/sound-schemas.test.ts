import type { ClusterClassVariable } from "#api";
import { describeFieldError, FieldPath, type Json, type JsonObject } from "#machinery";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateDefinitions } from "./validate-definitions.ts";

function errorsOf(schema: Json, before?: Json): readonly string[] {
  const old = before === undefined ? [] : [variable(before)];
  return validateDefinitions([variable(schema)], FieldPath.root, { old }).map(describeFieldError);
}

function variable(schema: Json): ClusterClassVariable {
  return { name: "a", required: false, schema: { openAPIV3Schema: schema } } as unknown as ClusterClassVariable;
}

let count = 0;

/** The errors of a schema that is like none that was checked before: keywords that nobody knows say nothing. */
function errorsAlone(schema: JsonObject): readonly string[] {
  count += 1;
  return errorsOf({ ...schema, "x-number": count });
}

const place = "[a].schema.openAPIV3Schema";

describe("a schema like a sound one", () => {
  const rules = [{ rule: "self.port > 1023", message: "is taken" }];
  const port = { type: "integer", minimum: 1, default: 80 };
  const sound: JsonObject = { type: "object", description: "One.", properties: { port }, required: ["port"] };

  test.each<[string, JsonObject, readonly string[]]>([
    ["is sound under another description", { ...sound, description: "Two." }, []],
    ["is sound with another default", { ...sound, properties: { port: { ...port, default: 81 } } }, []],
    [
      "is not with a default that does not fit",
      { ...sound, properties: { port: { ...port, default: 0 } } },
      [`${place}.properties[port].default: Invalid value: 0:  in body should be greater than or equal to 1`],
    ],
    [
      "is not with a default of another type",
      { ...sound, properties: { port: { ...port, default: "80" } } },
      [`${place}.properties[port].default: Invalid value: "string":  in body must be of type integer: "string"`],
    ],
    ["is sound with a default more", { ...sound, default: { port: 8 } }, []],
    [
      "is not with a default more that does not fit",
      { ...sound, default: { port: 0 } },
      [`${place}.default.port: Invalid value: 0: port in body should be greater than or equal to 1`],
    ],
    [
      "is not with an unknown field in a default",
      { ...sound, default: { port: 8, path: "/" } },
      [`${place}.default: Invalid value: {"path":"/","port":8}: must not have unknown fields`],
    ],
    [
      "is not with a keyword of the wrong type",
      { ...sound, required: [3] },
      [`${place}.required[0]: Invalid value: must be a text`],
    ],
  ])("%s", (_, schema, expected) => {
    expect(errorsOf(sound)).toEqual([]);
    expect(errorsOf({ ...sound, default: { port: 9 } })).toEqual([]);
    expect(errorsOf(schema)).toEqual(expected);
  });

  test("has its defaults judged by its rules", () => {
    const ruled = { ...sound, "x-kubernetes-validations": rules, default: { port: 8080 } };
    expect(errorsOf(ruled)).toEqual([]);
    expect(errorsOf(ruled)).toEqual([]);
    expect(errorsOf({ ...ruled, default: { port: 8081 } })).toEqual([]);
    expect(errorsOf({ ...ruled, default: { port: 8 } })).toEqual([`${place}.default: Invalid value: is taken`]);
  });

  test("may not use what only a stored rule may use", () => {
    const rule = "semver('1.0.0').major() == 1 && self.port > 0";
    const ruled = { ...sound, "x-kubernetes-validations": [{ rule }] };
    const old = variable(ruled);
    const options = { celVersion: 30 };
    const refused = [expect.stringContaining("undeclared reference to 'semver'")];
    const found = (before: readonly ClusterClassVariable[]): readonly string[] =>
      validateDefinitions([old], FieldPath.root, { ...options, old: before }).map(describeFieldError);
    expect(found([])).toEqual(refused);
    expect(found([old])).toEqual([]);
    expect(found([])).toEqual(refused);
    expect(found([variable(sound)])).toEqual(refused);
    expect(validateDefinitions([old], FieldPath.root)).toEqual([]);
  });
});

const value: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  "",
  "abc",
  "abcdef",
  0,
  7,
  1.5,
  10n ** 20n,
  true,
  [],
  ["abc"],
  [{ a: "abc" }],
  {},
  { a: "abc" },
  { a: "abcdef" },
  { b: null },
  { a: null },
);

const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonObject[]>(
      { type: "string", maxLength: 5 },
      { type: "string", pattern: "^a", enum: ["abc", "abcdef"] },
      { type: "integer", minimum: 0, maximum: 5 },
      { type: "boolean" },
      { "x-kubernetes-int-or-string": true },
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
    fc.record({ type: fc.constant("object"), properties: fc.record({ a: tie("schema") }) }),
    fc.tuple(tie("schema"), value).map(([schema, own]): JsonObject => ({ ...schema, default: own })),
  ),
}));

test("whatever was checked before, a schema gets the errors that it would get alone", () => {
  fc.assert(
    fc.property(anySchema, fc.array(value, { minLength: 2, maxLength: 5 }), (schema, defaults) => {
      for (const own of defaults) {
        const changed = { type: "object", properties: { a: { ...schema, default: own } } };
        expect(errorsOf(changed)).toEqual(errorsAlone(changed));
      }
    }),
    { numRuns: 500 },
  );
});
