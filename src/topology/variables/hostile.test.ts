import type { ClusterClassVariable } from "#api";
import { describeFieldError, FieldPath, type Json, type JsonObject } from "#machinery";
import { describe, expect, test } from "vitest";
import { validateDefinitions } from "./validate-definitions.ts";

const place = "spec.variables[a].schema.openAPIV3Schema";

function errorsOf(schema: Json): readonly string[] {
  const variable = {
    name: "a",
    required: false,
    schema: { openAPIV3Schema: schema },
  } as unknown as ClusterClassVariable;
  return validateDefinitions([variable], FieldPath.of("spec", "variables")).map(describeFieldError);
}

function nested(levels: number, inner: JsonObject, around: (below: JsonObject) => JsonObject): JsonObject {
  let schema = inner;
  for (let level = 0; level < levels; level++) schema = around(schema);
  return schema;
}

function properties(count: number, schema: JsonObject): JsonObject {
  return { type: "object", properties: Object.fromEntries(numbers(count).map((index) => [`p${index}`, schema])) };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

// Each of these ends within the time that a test has; what is quadratic or worse would not.
describe("a hostile schema gets its answer soon", () => {
  const tooDeep = `${place}: Forbidden: must not be nested deeper than 300 levels`;

  test.each<[string, JsonObject]>([
    ["properties", nested(100_000, { type: "string" }, (below) => ({ type: "object", properties: { a: below } }))],
    ["lists", nested(100_000, { type: "string" }, (below) => ({ type: "array", items: below }))],
    ["negations", nested(100_000, { minLength: 1 }, (below) => ({ not: below }))],
  ])("when %s are nested for ever", (_, schema) => {
    expect(errorsOf(schema)).toEqual([tooDeep]);
  });

  test.each<[string, (value: JsonObject) => JsonObject]>([
    ["a default", (value) => ({ default: value })],
    ["an example", (value) => ({ example: value })],
    ["a choice", (value) => ({ enum: [value] })],
    ["metadata", (value) => ({ "x-metadata": value })],
  ])("when %s is nested for ever", (_, keyword) => {
    const value = nested(100_000, {}, (below) => ({ a: below }));
    const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    expect(errorsOf({ ...free, ...keyword(value) })).toEqual([]);
  });

  test("when it contains itself", () => {
    const schema: { type: string; properties: { [name: string]: Json } } = { type: "object", properties: {} };
    schema.properties["self"] = schema;
    expect(errorsOf(schema)).toEqual([tooDeep]);
  });

  test("when it has 10,000 properties, sound or not", () => {
    expect(errorsOf(properties(10_000, { type: "string", default: "x", pattern: "^x" }))).toEqual([]);
    expect(errorsOf(properties(10_000, { type: "bogus" }))).toHaveLength(10_000);
    expect(errorsOf(properties(130_000, {}))).toHaveLength(130_000);
  });

  test("when many levels have defaults, examples and rules of all that is below", () => {
    const rules = [{ rule: "true" }];
    const leaves = properties(500, { type: "string", "x-kubernetes-validations": rules });
    const schema = nested(280, leaves, (below) => ({
      type: "object",
      properties: { a: below },
      default: {},
      example: {},
      "x-kubernetes-validations": rules,
    }));
    expect(errorsOf(schema)).toEqual([]);
  });

  test("when it has 100,000 choices", () => {
    expect(errorsOf({ type: "integer", enum: numbers(100_000) })).toEqual([]);
    expect(errorsOf({ type: "string", enum: numbers(100_000) })).toHaveLength(100_000);
  });

  test("when 20,000 items of a default must differ", () => {
    const items = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const all = numbers(20_000).map((index) => ({ a: index }));
    const schema = { type: "array", uniqueItems: true, items };
    expect(errorsOf({ ...schema, default: all })).toEqual([]);
    expect(errorsOf({ ...schema, default: [...all, { a: 0 }] })).toEqual([
      `${place}.default: Invalid value: "":  in body shouldn't contain duplicates`,
    ]);
  });

  test.each<[string, string]>([
    ["nested repetitions", "((a{0,1000}){0,1000}){0,1000}"],
    ["long repetitions", "(a{0,999}b{0,999}c{0,999}){0,9}"],
  ])("when a pattern unfolds: %s", (_, pattern) => {
    expect(errorsOf({ type: "string", pattern, default: "a" })).toEqual([
      expect.stringContaining("must be a valid regular expression, but isn't: error parsing regexp"),
    ]);
  });

  test("when a pattern would backtrack for ever elsewhere", () => {
    const text = `${"a".repeat(50_000)}b`;
    expect(errorsOf({ type: "string", pattern: "^(a+)+$", default: text })).toEqual([
      `${place}.default: Invalid value: "${text}":  in body should match '^(a+)+$'`,
    ]);
  });

  test("when a rule could run for ever", () => {
    const rule = "self.all(a, self.all(b, self.all(c, self.all(d, a != b || c != d))))";
    const list = { type: "array", items: { type: "string" }, "x-kubernetes-validations": [{ rule }] };
    expect(errorsOf(list)).toEqual([
      expect.stringContaining("estimated rule cost exceeds budget by factor of more than 100x"),
      expect.stringContaining("contributed to estimated rule & messageExpression cost total"),
      expect.stringContaining("cost total for entire OpenAPIv3 schema exceeds budget"),
    ]);
  });

  test("when it has many rules of the greatest length", () => {
    const rule = numbers(225).map(() => "self.a != 'x'");
    const rules = numbers(200).map((index) => ({ rule: [`self.a != '${index}'`, ...rule].join(" && ") }));
    const object = { type: "object", properties: { a: { type: "string", maxLength: 5 } } };
    expect(errorsOf({ ...object, "x-kubernetes-validations": rules })).toEqual([]);
  });

  test.each<[string, string, readonly string[]]>([
    ["is as long as it may be", `${"self == [] || ".repeat(7_100)}true`, []],
    [
      "is too long",
      `${" ".repeat(100_000)}true`,
      ["expression code point size exceeds limit: size: 100004, limit 100000"],
    ],
    ["is much too long", "a".repeat(10_000_000), ["expression code point size exceeds limit: size: 10000000"]],
    ["opens parentheses", "(".repeat(50_000), ["expression recursion limit exceeded: 250"]],
    ["opens lists", "[".repeat(50_000), ["expression recursion limit exceeded: 250"]],
    ["denies", `${"!".repeat(99_990)}true`, []],
    ["is all mistakes", "# ".repeat(49_000), ["more errors were truncated"]],
    [
      "names what is not there",
      numbers(9_000)
        .map((index) => `x${index}`)
        .join(" && "),
      ["more errors were truncated"],
    ],
    [
      "copies what it is called on",
      `optional.of(self)${".optMap(x, x)".repeat(30)}.hasValue()`,
      ["expression node count exceeds limit: 100000"],
    ],
    [
      "asks in loops of loops",
      numbers(40).reduce((rule, index) => `self.exists(v${index}, ${rule})`, "true"),
      ["estimated rule cost exceeds budget"],
    ],
    ["doubles what it asks", `self${".map(x, [x, x])".repeat(200)}.size() > 0`, ["estimated rule cost exceeds budget"]],
    ["puts lists into lists", `${"[".repeat(200)}self${"]".repeat(200)}.size() > 0`, []],
    [
      "has a pattern that unfolds",
      "self.exists(a, a.matches('((a{0,1000}){0,1000}){0,1000}'))",
      ["invalid matches argument"],
    ],
  ])("when a rule %s", (_, rule, problems) => {
    const list = { type: "array", items: { type: "string" }, "x-kubernetes-validations": [{ rule }] };
    expect(errorsOf(list).slice(0, 1)).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });

  test("when its names are those that every object has", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
    const members = JSON.parse(`{${names.map((name) => `"${name}":{"type":"bogus"}`).join(",")}}`) as JsonObject;
    expect(errorsOf({ type: "object", properties: members }).map((text) => text.split(".type:")[0])).toEqual(
      names.map((name) => `${place}.properties[${name}]`),
    );
  });
});
