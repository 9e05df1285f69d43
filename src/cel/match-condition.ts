import type { Json, JsonObject } from "#machinery";
import { boolType, describeType, dynType, listType, mapType, stringType, structType, type Type } from "./check/type.ts";
import type { Declarations } from "./environment.ts";
import type { Program } from "./evaluate/program.ts";
import { compatibilityVersion, everyVersion, kubernetesEnvironment, type MinorVersion } from "./kubernetes.ts";
import { valueOfJson } from "./values/json-value.ts";
import { Failure, type Value } from "./values/value.ts";

/** The most that all conditions of one webhook together may cost for one request. */
export const matchConditionsBudget = 2_500_000;

/** What a condition can ask about. */
export interface MatchConditionInput {
  /** Null for a delete. */
  readonly object: Json;
  /** Null for a create. */
  readonly oldObject: Json;
  /** The request as an AdmissionReview shows it, without the objects. */
  readonly request: JsonObject;
}

/** How a condition ended: whether it holds, or why nobody can tell, and what it cost. */
export type MatchConditionOutcome =
  | { readonly kind: "held"; readonly holds: boolean; readonly cost: number }
  | { readonly kind: "failed"; readonly problem: string; readonly cost: number };

/** A condition under which a request concerns a webhook. */
export interface MatchCondition {
  evaluate(input: MatchConditionInput, options: { readonly costLimit: number }): MatchConditionOutcome;
}

/** Compiles a condition, or says what is wrong with it; those that are stored already may use everything there is. */
export function compileMatchCondition(
  expression: string,
  { version = everyVersion }: { readonly version?: MinorVersion } = {},
): MatchCondition | { readonly problem: string } {
  const compiled = kubernetesEnvironment(version).compile(expression, declarations);
  if (compiled.kind === "refused") return { problem: `compilation failed: ${compiled.problem}` };
  if (compiled.type.kind !== "bool") return { problem: `must evaluate to bool but got ${describeType(compiled.type)}` };
  const program = compiled.program();
  return "problem" in program ? { problem: `instantiation failed: ${program.problem}` } : conditionOf(program);
}

/** What is wrong with a new condition; nothing where it is fine. */
export function matchConditionProblem(expression: string): string | undefined {
  const compiled = compileMatchCondition(expression, { version: compatibilityVersion });
  return "problem" in compiled ? compiled.problem : undefined;
}

function conditionOf(program: Program): MatchCondition {
  return {
    evaluate({ object, oldObject, request }, options) {
      const values = new Map<string, Value>([
        ["object", valueOfJson(object)],
        ["oldObject", valueOfJson(oldObject)],
        ["request", valueOfJson(request)],
      ]);
      const outcome = program.evaluate(values, options);
      const { cost } = outcome;
      if (outcome.kind === "cancelled") return { kind: "failed", problem: outcome.reason, cost };
      const { result } = outcome;
      if (result instanceof Failure) return { kind: "failed", problem: result.message, cost };
      return { kind: "held", holds: result === true, cost };
    },
  };
}

const kindType = structType("kubernetes.GroupVersionKind");
const resourceType = structType("kubernetes.GroupVersionResource");
const userType = structType("kubernetes.UserInfo");
const requestType = structType("kubernetes.AdmissionRequest");

const fields: Readonly<Record<string, ReadonlyMap<string, Type>>> = {
  [kindType.name]: texts("group", "version", "kind"),
  [resourceType.name]: texts("group", "version", "resource"),
  [userType.name]: new Map([
    ...texts("username", "uid"),
    ["groups", listType(stringType)],
    ["extra", mapType(stringType, listType(stringType))],
  ]),
  [requestType.name]: new Map([
    ...texts("subResource", "requestSubResource", "name", "namespace", "operation"),
    ["kind", kindType],
    ["resource", resourceType],
    ["requestKind", kindType],
    ["requestResource", resourceType],
    ["userInfo", userType],
    ["dryRun", boolType],
    ["options", dynType],
  ]),
};

const declarations: Declarations = {
  variables: new Map([
    ["object", dynType],
    ["oldObject", dynType],
    ["request", requestType],
  ]),
  fieldsOf: (type) => (Object.hasOwn(fields, type) ? fields[type] : undefined),
};

function texts(...names: readonly string[]): ReadonlyMap<string, Type> {
  return new Map(names.map((name) => [name, stringType]));
}
