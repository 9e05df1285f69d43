import type { JsonSchema, ValidationRule } from "#machinery";
import { optionalType, type Type } from "../check/type.ts";
import { estimateCost } from "../cost/estimate.ts";
import type { Environment, Compiled } from "../environment.ts";
import type { Program } from "../evaluate/program.ts";
import { type DeclaredType, declaredAt } from "./declared-type.ts";
import { parseFieldPath } from "./rule-field-path.ts";
import { shapeOf } from "./type-shape.ts";

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
  const isOldOptional = rule.optionalOldSelf === true;
  const { expression, usesOldSelf } = compileOnce(rule.rule, scope, { ...ruleResult, isOldOptional });
  const isSound = !("problem" in expression);
  const { messageExpression = "", fieldPath = "" } = rule;
  return {
    rule,
    expression,
    usesOldSelf,
    message:
      isSound && messageExpression !== ""
        ? compileOnce(messageExpression, scope, { ...messageResult, isOldOptional }).expression
        : undefined,
    fieldPath: fieldPath === "" ? undefined : parseFieldPath(fieldPath, scope.schema).path?.toString(),
  };
}

interface Expected {
  /** What an expression must evaluate to, and the texts for one that does not. */
  readonly type: Type["kind"];
  readonly compiling: string;
  readonly mistyped: string;
  readonly planning: string;
  readonly isOldOptional: boolean;
}

const ruleResult = {
  type: "bool",
  compiling: "compilation failed: ",
  mistyped: "cel expression must evaluate to a bool",
  planning: "program instantiation failed: ",
} as const;

const messageResult = {
  type: "string",
  compiling: "messageExpression compilation failed: ",
  mistyped: "messageExpression must evaluate to a string",
  planning: "messageExpression instantiation failed: ",
} as const;

type Finished = Pick<CompiledRule, "expression" | "usesOldSelf">;

// The same few rules stand in many schemas, and each is compiled when it is checked, and again when it is run. Limits
// bound the memory that this takes; what is wrong is not remembered, because its texts can be long.
const mostShared = 1_000;
const longestShared = 256;
const shared = new WeakMap<Environment, Map<string, Finished>>();

/** Compiles an expression, unless the same one was compiled for a type that it cannot tell from this. */
function compileOnce(source: string, scope: RuleScope, expected: Expected): Finished {
  const environment = scope.environmentFor(source);
  const shape = source.length > longestShared ? undefined : shapeOf(scope.declared);
  if (shape === undefined) return compile(source, { ...scope, environment, expected });
  const known = shared.get(environment) ?? new Map<string, Finished>();
  shared.set(environment, known);
  const key = JSON.stringify([expected.type, expected.isOldOptional, shape, source]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const compiled = compile(source, { ...scope, environment, expected });
  if ("problem" in compiled.expression) return compiled;
  if (known.size >= mostShared) known.clear();
  known.set(key, compiled);
  return compiled;
}

interface Compilation extends RuleScope {
  readonly environment: Environment;
  readonly expected: Expected;
}

function compile(source: string, { environment, expected, declared, fieldsOf }: Compilation): Finished {
  const { type } = declared;
  const compiled = environment.compile(source, {
    variables: new Map([
      ["self", type],
      ["oldSelf", expected.isOldOptional ? optionalType(type) : type],
    ]),
    fieldsOf,
  });
  const usesOldSelf = compiled.kind === "compiled" && compiled.checked.references.includes("oldSelf");
  return { expression: finish(compiled, declared, expected), usesOldSelf };
}

function finish(compiled: Compiled, declared: DeclaredType, expected: Expected): CompiledRule["expression"] {
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
