import type { JsonSchema } from "#machinery";
import { expect, test } from "vitest";
import { estimateRules } from "./estimate-rules.ts";

test("every rule is listed with its place and what it can cost", () => {
  const schema: JsonSchema = {
    type: "object",
    "x-kubernetes-validations": [{ rule: "has(self.names)" }],
    properties: {
      names: {
        type: "array",
        maxItems: 10,
        items: {
          type: "string",
          maxLength: 5,
          "x-kubernetes-validations": [{ rule: "self.startsWith('a')" }, { rule: "self" }],
        },
        "x-kubernetes-validations": [{ rule: "self.all(n, n != '')" }],
      },
      labels: {
        type: "object",
        additionalProperties: { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] },
      },
    },
  };
  expect(estimateRules(schema, { isResource: false })).toEqual([
    { place: "", rule: "has(self.names)", mostCost: 1n },
    { place: "labels[*]", rule: "self != ''", mostCost: 1n },
    { place: "names", rule: "self.all(n, n != '')", mostCost: 42n },
    { place: "names[*]", rule: "self.startsWith('a')", mostCost: 2n },
    { place: "names[*]", rule: "self", problem: "cel expression must evaluate to a bool" },
  ]);
});

test("a schema without rules has no estimates", () => {
  expect(estimateRules({ type: "object" })).toEqual([]);
});
