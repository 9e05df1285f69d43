import { readFileSync } from "node:fs";
import type { Json, JsonSchema } from "#machinery";
import { describe, expect, test } from "vitest";
import { describeFieldError, FieldPath } from "#machinery";
import { ruleNodeOf } from "./rule-node.ts";
import { compileRules, createCostBudget, objectBudget } from "./validate-rules.ts";

interface Recorded {
  readonly rule: string;
  readonly refused?: string;
  readonly mostCost?: string;
  readonly cost?: number;
  readonly errors?: readonly string[];
}

const [head = "", ...lines] = readFileSync(`${import.meta.dirname}/../../../test/fixtures/cel/costs.jsonl`, "utf8")
  .trimEnd()
  .split("\n");
const { schema, self } = JSON.parse(head) as { readonly schema: JsonSchema; readonly self: Json };

describe("rules cost what they cost in Kubernetes, estimated and run", () => {
  test.each(lines.map((line) => JSON.parse(line) as Recorded))("$rule", ({ rule, ...expected }) => {
    expect(costOf(rule)).toEqual(expected);
  });
});

function costOf(rule: string): Omit<Recorded, "rule"> {
  const ruled: JsonSchema = { ...schema, "x-kubernetes-validations": [{ rule }] };
  const compiled = ruleNodeOf(ruled, { isResource: false })?.rules();
  const expression = compiled?.kind === "compiled" ? compiled.rules[0]?.expression : undefined;
  if (expression === undefined || "problem" in expression) return { refused: expression?.problem ?? "" };
  const budget = createCostBudget();
  const errors = compileRules(ruled, { isResource: false }).validate(self, { budget, path: FieldPath.of("root") });
  return {
    mostCost: String(expression.mostCost),
    cost: objectBudget - budget.remaining,
    errors: errors.map((error) => `${error.type}|${describeFieldError(error)}`),
  };
}
