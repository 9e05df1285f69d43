import { readFileSync } from "node:fs";
import { decodeJson, type FieldError, type Json, type JsonSchema } from "#machinery";
import { describe, expect, test } from "vitest";
import { estimateRules } from "./rules/estimate-rules.ts";
import { compileRules } from "./rules/validate-rules.ts";

/** One schema node with one rule, and what Kubernetes' validator said. */
interface Vector {
  readonly name: string;
  readonly input: {
    readonly schema: JsonSchema;
    readonly rule: string;
    readonly optionalOldSelf?: boolean;
    readonly vals: readonly { readonly self: Json; readonly oldSelf?: Json }[];
  };
  readonly expected: {
    readonly maxCost?: number | bigint;
    readonly compile?: string;
    readonly results: readonly string[] | null;
  };
}

const file = decodeJson(readFileSync(`${import.meta.dirname}/../../test/vectors/cel.json`, "utf8"));
const { cases } = file.value as unknown as { readonly cases: readonly Vector[] };

describe("recorded rules", () => {
  test.each(cases)("$name", ({ input, expected }) => {
    expect(outcomeOf(input)).toEqual({
      ...expected,
      ...(expected.maxCost === undefined ? {} : { maxCost: BigInt(expected.maxCost) }),
    });
  });
});

function outcomeOf({ schema, rule, vals, optionalOldSelf = false }: Vector["input"]): unknown {
  const ruled = {
    ...schema,
    "x-kubernetes-validations": [{ rule, message: "FAIL", ...(optionalOldSelf ? { optionalOldSelf } : {}) }],
  };
  const [estimate] = estimateRules(ruled, { isResource: false });
  if (estimate?.problem !== undefined) return { compile: estimate.problem.split("\n", 1)[0], results: null };
  const rules = compileRules(ruled, { isResource: false });
  const results = vals.map(({ self, oldSelf }) =>
    resultOf(rules.validate(self, oldSelf === undefined ? {} : { oldValue: oldSelf })),
  );
  return { maxCost: estimate?.mostCost, results };
}

function resultOf([error]: readonly FieldError[]): string {
  if (error === undefined) return "true";
  return error.detail === "FAIL" ? "false" : `error: ${error.detail}`;
}
