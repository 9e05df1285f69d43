import type { JsonSchema, ValidationRule } from "#machinery";
import { optionalType, type Type } from "../check/type.ts";
import { estimateCost } from "../cost/estimate.ts";
import type { Environment, Compiled } from "../environment.ts";
import type { Program } from "../evaluate/program.ts";
import { type DeclaredType, declaredAt } from "./declared-type.ts";
import { parseFieldPath } from "./rule-field-path.ts";

/** An expression of a rule that can be run, and what it can cost at most. */
export interface CompiledExpression {
  readonly program: Program;
  readonly mostCost: bigint;
}

/** One rule after compiling; where the expression is none, `problem` says why. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly expression: CompiledExpression | { readonly problem: string };
  readonly message: CompiledExpression | { readonly problem: string } | undefined;
  readonly usesOldSelf: boolean;
  /** The path of the field to blame below the value that the rule is about. */
  readonly fieldPath: string | undefined;
}

/** What a rule is compiled against. */
export interface RuleScope {
  readonly schema: JsonSchema;
  readonly declared: DeclaredType;
  readonly fieldsOf: (type: string) => ReadonlyMap<string, Type> | undefined;
  /** The dialect that an expression may use. */
  readonly environmentFor: (expression: string) => Environment;
}

/** Compiles a rule; an empty one is none. */
export function compileRule(rule: ValidationRule, scope: RuleScope): CompiledRule | undefined {
  if (rule.rule.trim() === "") return undefined;
  const compiled = compileExpression(rule.rule, rule, scope);
  const usesOldSelf = compiled.kind === "compiled" && compiled.checked.references.includes("oldSelf");
  const expression = finish(compiled, scope, { type: "bool", ...ruleTexts });
  const isSound = !("problem" in expression);
  const { messageExpression = "", fieldPath = "" } = rule;
  return {
    rule,
    expression,
    usesOldSelf,
    message: isSound && messageExpression !== "" ? compileMessage(messageExpression, rule, scope) : undefined,
    fieldPath: fieldPath === "" ? undefined : parseFieldPath(fieldPath, scope.schema).path?.toString(),
  };
}

const ruleTexts = {
  compiling: "compilation failed: ",
  mistyped: "cel expression must evaluate to a bool",
  planning: "program instantiation failed: ",
};

const messageTexts = {
  compiling: "messageExpression compilation failed: ",
  mistyped: "messageExpression must evaluate to a string",
  planning: "messageExpression instantiation failed: ",
};

function compileMessage(source: string, rule: ValidationRule, scope: RuleScope): CompiledRule["message"] {
  return finish(compileExpression(source, rule, scope), scope, { type: "string", ...messageTexts });
}

function compileExpression(source: string, rule: ValidationRule, scope: RuleScope): Compiled {
  const { type } = scope.declared;
  const oldType = rule.optionalOldSelf === true ? optionalType(type) : type;
  return scope.environmentFor(source).compile(source, {
    variables: new Map([
      ["self", type],
      ["oldSelf", oldType],
    ]),
    fieldsOf: scope.fieldsOf,
  });
}

function finish(
  compiled: Compiled,
  { declared }: RuleScope,
  expected: { readonly type: Type["kind"] } & typeof ruleTexts,
): CompiledExpression | { readonly problem: string } {
  if (compiled.kind === "refused") return { problem: expected.compiling + compiled.problem };
  if (compiled.type.kind !== expected.type) return { problem: expected.mistyped };
  const program = compiled.program();
  if ("problem" in program) return { problem: expected.planning + program.problem };
  const { most } = estimateCost(compiled.expression, compiled.checked, (path) => {
    const found = declaredAt(declared, path);
    return found === undefined ? undefined : { least: 0n, most: BigInt(found.mostElements) };
  });
  return { program, mostCost: most };
}
