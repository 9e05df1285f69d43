import { describeFieldError, FieldPath, type Json, type JsonSchema } from "#machinery";
import { describe, expect, test } from "vitest";
import { kubernetesEnvironment } from "./kubernetes.ts";
import { checkRules } from "./rules/check-rules.ts";
import { compileRules, createCostBudget, objectBudget } from "./rules/validate-rules.ts";

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text };
const tooExpensive = "operation cancelled: actual cost limit exceeded";
const interrupted = "operation interrupted";

describe("hostile expressions are refused by a limit on their size or depth", () => {
  test.each([
    [
      "10,000 nested parentheses",
      `${"(".repeat(10_000)}1${")".repeat(10_000)}`,
      "expression recursion limit exceeded: 250",
    ],
    ["10,000 nested lists", "[".repeat(10_000), "expression recursion limit exceeded: 250"],
    ["10,000 nested conditions", "true ? ".repeat(10_000), "mismatched input"],
    ["a chain of 1,000 additions", `1${" + 1".repeat(1000)}`, "max recursion depth exceeded"],
    ["a chain of 1,000 fields", `self${".a".repeat(1000)}`, "max recursion depth exceeded"],
    ["a chain of 1,000 calls", `self${".trim()".repeat(1000)}`, "max recursion depth exceeded"],
    [
      "a rule of 10 MB",
      "1 ".repeat(5_000_000),
      "expression code point size exceeds limit: size: 10000000, limit 100000",
    ],
    [
      "macros that double an expression 60 times",
      `optional.of(1)${".optMap(v, {v: v})".repeat(60)}.hasValue()`,
      "expression node count exceeds limit: 100000",
    ],
    [
      "a pattern that unfolds a thousandfold",
      `'a'.matches('${"(a{1,30}){1,30}".repeat(20)}')`,
      "invalid matches argument",
    ],
  ])("%s", (_, source, limit) => {
    expect(problemOf(source)).toContain(limit);
  });

  test("10,000 conditions in a chain of && are no problem, because they are kept in balance", () => {
    expect(problemOf(`true${" && true".repeat(10_000)}`)).toBe("");
  });
});

describe("hostile values are stopped by a limit on cost", () => {
  const long = "a".repeat(50_000);
  const many = Array.from({ length: 100_000 }, (_, index) => `${index}`);

  test("^(a+)+$ on 50 kB is answered in linear time, for the cost of its length", () => {
    const budget = createCostBudget();
    const rules = compileRules(withRule(text, "self.matches('^(a+)+$')"), { isResource: false });
    expect(rules.validate(`${long}b`, { budget }).map(({ detail }) => detail)).toEqual([
      "failed rule: self.matches('^(a+)+$')",
    ]);
    expect(objectBudget - budget.remaining).toBe(1 + 5001 * 2);
  });

  test.each<[string, JsonSchema, string, Json, string]>([
    ["a long pattern on a long text", text, `self.matches('${"(a|b|c)*".repeat(300)}')`, long, tooExpensive],
    ["every pair of 100,000 items", texts, "self.all(x, self.all(y, x != y || x == y))", many, tooExpensive],
    [
      "every pair, in loops that cost nothing",
      texts,
      "self.filter(x, self.filter(y, false).size() > 0) == []",
      many,
      interrupted,
    ],
    ["the distinct ones of 100,000 items", texts, "self.distinct().size() > 0", many, tooExpensive],
    ["100,000 items in 100,000 items", texts, "sets.contains(self, self)", many, tooExpensive],
    ["a text around every character of another", text, "self.replace('', self).size() > 0", long, tooExpensive],
    ["a text between the items of a list", texts, "self.join(self.join('')).size() > 0", many, tooExpensive],
    ["a range of a billion", texts, "lists.range(1000000000).size() > 0", many, tooExpensive],
    ["printing a list again and again", texts, "self.all(x, '%s'.format([self]).size() > 0)", many, interrupted],
    ["comparing a list again and again", texts, "self.all(x, self + [] == self)", many, interrupted],
  ])("%s", (_, schema, rule, value, limit) => {
    const errors = compileRules(withRule(schema, rule), { isResource: false }).validate(value);
    expect(errors.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(`'${limit}': no further validation rules`),
    ]);
  });

  test("a list that is joined to itself 200 times is not copied", () => {
    const rules = compileRules(withRule(texts, `(self${" + self".repeat(200)}).size() == 20100000`), {
      isResource: false,
    });
    expect(rules.validate(many)).toEqual([]);
  });
});

describe("rules that could cost too much are refused when they are written", () => {
  test("every triple of a list without bounds", () => {
    const schema = withRule(texts, "self.all(x, self.all(y, self.all(z, x == y && y == z)))");
    const [first] = checkRules(schema, FieldPath.of("schema"), { isResource: false });
    expect(first && describeFieldError(first)).toBe(
      "schema.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than " +
        "100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and " +
        "strings are declared)",
    );
  });
});

function problemOf(source: string): string {
  const compiled = kubernetesEnvironment().compile(source, { variables: new Map() });
  return compiled.kind === "refused" ? compiled.problem : "";
}

function withRule(schema: JsonSchema, rule: string): JsonSchema {
  return { ...schema, "x-kubernetes-validations": [{ rule }] };
}
