import { readFileSync } from "node:fs";
import { describeFieldError, FieldPath, type JsonSchema, required } from "#machinery";
import { describe, expect, test } from "vitest";
import { checkRules } from "./check-rules.ts";
import { wordsOfVariables } from "./rule-words.ts";

/** The errors with which kube-apiserver 1.35 refused a CustomResourceDefinition with this schema. */
interface Recorded {
  readonly schema: JsonSchema;
  readonly expected: readonly string[];
}

const recorded = readFileSync(`${import.meta.dirname}/../../../test/fixtures/cel/check-rules.jsonl`, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

const root = FieldPath.of("spec", "validation", "openAPIV3Schema");

describe("rules are refused in the words of kube-apiserver", () => {
  test.each(recorded.map((entry, index) => ({ ...entry, name: `${index} ${firstRule(entry.schema)}` })))(
    "$name",
    ({ schema, expected }) => {
      expect(checkRules(schema, root).map(describeFieldError)).toEqual(expected);
    },
  );
});

describe("rules of variables", () => {
  const path = FieldPath.of("S");
  const errorsOf = (schema: JsonSchema, options: { readonly version?: number; readonly oldSchema?: JsonSchema } = {}) =>
    checkRules(schema, path, { words: wordsOfVariables, ...options }).map(describeFieldError);
  const family: JsonSchema = { type: "string", "x-kubernetes-validations": [{ rule: "ip(self).family() == 6" }] };

  test("a new rule may use what its version knows", () => {
    expect(errorsOf(family, { version: 29 })).toEqual([
      'S.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"ip(self).family() == 6","Message":"","MessageExpression":"",' +
        '"Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:3: undeclared reference ' +
        "to 'ip' (in container '')\n | ip(self).family() == 6\n | ..^\nERROR: <input>:1:16: undeclared reference to 'family' " +
        "(in container '')\n | ip(self).family() == 6\n | ...............^",
    ]);
  });

  test("a rule that was there before may use everything", () => {
    expect(errorsOf(family, { version: 29, oldSchema: family })).toEqual([]);
  });

  test("all rules together have a limit, and the dearest are named", () => {
    const contains = { "x-kubernetes-validations": [{ rule: "self.contains('keyword')" }] };
    const schema: JsonSchema = {
      type: "object",
      properties: {
        array: { type: "array", items: { type: "string", maxLength: 500_000, ...contains } },
        field: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 50 && self < 100" }] },
        map: {
          type: "object",
          maxProperties: 10_000,
          additionalProperties: { type: "string", maxLength: 2048, ...contains },
        },
      },
    };
    const advice =
      "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
    const total = "estimated rule & messageExpression cost total";
    expect(errorsOf(schema)).toEqual([
      `S.properties[array].items.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
      `S.properties[array].items.x-kubernetes-validations[0].rule: Forbidden: contributed to ${total} exceeding cost limit for entire OpenAPIv3 schema`,
      `S.properties[map].additionalProperties.x-kubernetes-validations[0].rule: Forbidden: contributed to ${total} exceeding cost limit for entire OpenAPIv3 schema`,
      `S: Forbidden: x-kubernetes-validations ${total} for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`,
    ]);
  });

  test("blame what describes the elements of a list for having no counterpart", () => {
    const schema: JsonSchema = {
      type: "array",
      maxItems: 3,
      items: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf" }] },
    };
    expect(errorsOf(schema)).toEqual([
      'S.items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the ' +
        "uncorrelatable portion of the schema within S.items",
    ]);
  });

  test("are asked about only where the checks of a caller find nothing", () => {
    const broken: JsonSchema = { type: "integer", "x-kubernetes-validations": [{ rule: "nonsense" }] };
    const schema: JsonSchema = { type: "object", properties: { a: broken, b: broken, c: { type: "string" } } };
    const asked: string[] = [];
    const errors = checkRules(schema, path, {
      checks: {
        enter: (_, at) => ({ errors: at.toString().endsWith("[a]") ? [required(at)] : [] }),
        leave: (part, at) => (part.type === "string" ? [required(at.child("left"))] : []),
        values: (_, at) => {
          asked.push(at.toString());
          return [];
        },
      },
    });
    expect(errors.map(({ field }) => field)).toEqual([
      "S.properties[a]",
      "S.properties[c].left",
      "S.properties[b].x-kubernetes-validations[0].rule",
    ]);
    expect(asked).toEqual([]);
  });

  test.each([
    [{ message: " " }, 'message: Invalid value: " ": message must be non-empty if specified'],
    [{ message: "a\nb" }, 'message: Invalid value: "a\\nb": message must not contain line breaks'],
    [
      { message: "0123456789".repeat(205) },
      'message: Invalid value: "0123456789...": message must have a maximum length of 2048 characters',
    ],
    [{ fieldPath: " " }, 'fieldPath: Invalid value: " ": fieldPath must be non-empty if specified'],
    [
      { fieldPath: ".b" },
      'fieldPath: Invalid value: ".b": fieldPath must be a valid path: does not refer to a valid field',
    ],
    [{ fieldPath: "." }, 'fieldPath: Invalid value: ".": fieldPath must be a valid path: unexpected end of JSON path'],
    [{ fieldPath: "a" }, 'fieldPath: Invalid value: "a": fieldPath must be a valid path: expected [ or . but got: a'],
    [
      { fieldPath: "[a]" },
      'fieldPath: Invalid value: "[a]": fieldPath must be a valid path: expected single quoted string but got a',
    ],
    [
      { fieldPath: "['a'" },
      "fieldPath: Invalid value: \"['a'\": fieldPath must be a valid path: unexpected end of JSON path",
    ],
    [
      { fieldPath: "['a'." },
      "fieldPath: Invalid value: \"['a'.\": fieldPath must be a valid path: expected ] but got .",
    ],
    [
      { fieldPath: "['\\q']" },
      "fieldPath: Invalid value: \"['\\\\q']\": fieldPath must be a valid path: invalid string literal: invalid escape char \\q",
    ],
  ])("%j is refused", (rule, expected) => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "true", ...rule }],
    };
    expect(errorsOf(schema)[0]).toBe(`S.x-kubernetes-validations[0].${expected}`);
  });
});

function firstRule(schema: JsonSchema): string {
  return /"rule":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(schema))?.[1] ?? "";
}
