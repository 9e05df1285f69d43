import { compileRules, estimateRules } from "#cel";
import { type FieldError, isJsonList, isJsonObject, type Json, type JsonSchema } from "#machinery";

const operations = ["capi", "core", "k8s-lib", "optional", "re2", "re2-reject", "reject", "reject-cost", "strings/ext"];

/** One schema node with one rule: what the compiler says, what it can cost, and what comes of each value. */
export const cel: Readonly<Record<string, (input: unknown) => unknown>> = Object.fromEntries(
  operations.map((operation) => [operation, judge]),
);

// A message that no evaluation would give tells a rule that does not hold from one that fails.
const message = "FAIL";

function judge(input: unknown): unknown {
  if (!isRecorded(input)) throw new TypeError("a case of cel.json has a schema, a rule and values");
  const optional = input.optionalOldSelf === true ? { optionalOldSelf: true } : {};
  const schema = { ...input.schema, "x-kubernetes-validations": [{ rule: input.rule, message, ...optional }] };
  const [estimate] = estimateRules(schema, { isResource: false });
  // The vectors keep the first line of what the compiler says.
  if (estimate?.problem !== undefined) return { compile: estimate.problem.split("\n", 1)[0], results: null };
  const rules = compileRules(schema, { isResource: false });
  const results = input.vals.map(({ self, oldSelf }) =>
    resultOf(rules.validate(self, oldSelf === undefined ? {} : { oldValue: oldSelf })),
  );
  return { maxCost: estimate?.mostCost, results };
}

function resultOf([error]: readonly FieldError[]): string {
  if (error === undefined) return "true";
  return error.detail === message ? "false" : `error: ${error.detail}`;
}

interface Recorded {
  readonly schema: JsonSchema;
  readonly rule: string;
  readonly vals: readonly { readonly self: Json; readonly oldSelf?: Json }[];
  readonly optionalOldSelf?: boolean;
}

function isRecorded(input: unknown): input is Recorded {
  if (!isJsonObject(input)) return false;
  const { schema, rule, vals } = input;
  return (
    schema !== undefined && isJsonObject(schema) && typeof rule === "string" && vals !== undefined && isJsonList(vals)
  );
}
