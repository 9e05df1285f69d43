import { readFileSync } from "node:fs";
import { describeFieldError, FieldPath, type Json, type JsonSchema } from "#machinery";
import { describe, expect, test } from "vitest";
import { compileRules, createCostBudget } from "./validate-rules.ts";

/** What Kubernetes' validator said about values of a schema. */
interface Recorded {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly root?: boolean;
  readonly vals: readonly { readonly self: Json; readonly oldSelf?: Json }[];
  readonly expected: readonly (readonly string[])[];
}

const recorded = readFileSync(`${import.meta.dirname}/../../../test/fixtures/cel/rules.jsonl`, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

describe("rules judge values as Kubernetes does", () => {
  test.each(recorded)("$name", ({ schema, root = false, vals, expected }) => {
    const rules = compileRules(schema, { isResource: root });
    const path = FieldPath.of("root");
    const found = vals.map(({ self, oldSelf }) =>
      rules
        .validate(self, { path, ...(oldSelf === undefined ? {} : { oldValue: oldSelf }) })
        .map((error) => `${error.type}|${describeFieldError(error)}`),
    );
    expect(found).toEqual(expected);
  });
});

describe("budgets and warnings", () => {
  const positive: JsonSchema = {
    type: "object",
    properties: { a: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] }, b: { type: "integer" } },
  };

  test("integers beyond 2^53 are exact", () => {
    const schema: JsonSchema = { type: "integer", "x-kubernetes-validations": [{ rule: "self == 9007199254740993" }] };
    const rules = compileRules(schema, { isResource: false });
    expect(rules.validate(9007199254740993n)).toEqual([]);
    expect(rules.validate(9007199254740992n).map(describeFieldError)).toEqual([
      ": Invalid value: 9007199254740992: failed rule: self == 9007199254740993",
    ]);
  });

  test("what was wrong before is told as a warning", () => {
    const warnings: string[] = [];
    const errors = compileRules(positive).validate(
      { a: -1, b: 2 },
      { oldValue: { a: -1, b: 1 }, warn: (error) => warnings.push(describeFieldError(error)) },
    );
    expect({ errors, warnings }).toEqual({ errors: [], warnings: ["a: Invalid value: -1: failed rule: self > 0"] });
  });

  test("a budget that is spent stops all further rules, in this and in the next validation", () => {
    const budget = createCostBudget(3);
    const rules = compileRules(positive, { isResource: false });
    const exhausted =
      'a: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run';
    expect(rules.validate({ a: -1 }, { budget }).map(describeFieldError)).toEqual([
      "a: Invalid value: -1: failed rule: self > 0",
    ]);
    expect(rules.validate({ a: 1 }, { budget }).map(describeFieldError)).toEqual([exhausted]);
    expect(rules.validate({ a: 1 }, { budget }).map(describeFieldError)).toEqual([exhausted]);
  });

  test("nothing passes for having been wrong before where that is not wanted", () => {
    const [oldValue, value] = [{ a: -1 }, { a: -1 }];
    const rules = compileRules(positive);
    expect(rules.validate(value, { oldValue })).toEqual([]);
    expect(rules.validate(value, { oldValue, ratcheting: false }).map(describeFieldError)).toEqual([
      "a: Invalid value: -1: failed rule: self > 0",
    ]);
  });

  test("a part of a schema can be asked alone", () => {
    const { a = {}, b = {} } = positive.properties ?? {};
    const rules = compileRules(positive);
    expect(
      rules
        .part(a)
        .validate(-1)
        .map(({ detail }) => detail),
    ).toEqual(["failed rule: self > 0"]);
    expect(rules.part(b).isEmpty).toBe(true);
    const apart: JsonSchema = { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] };
    expect(rules.part(apart).validate("")).toHaveLength(1);
  });

  test("a schema without rules has nothing to run", () => {
    const rules = compileRules({ type: "object", properties: { a: { type: "integer" } } });
    expect([rules.isEmpty, rules.validate({ a: 1 })]).toEqual([true, []]);
  });

  test("a rule on what rules cannot see says so", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "array", "x-kubernetes-validations": [{ rule: "true" }] } },
      "x-kubernetes-validations": [{ rule: "self.a.size() > 0" }],
    };
    expect(
      compileRules(schema, { isResource: false })
        .validate({ a: [1] })
        .map(describeFieldError),
    ).toEqual([
      ": Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'a'\n | self.a.size() > 0\n | ....^",
    ]);
  });
});
