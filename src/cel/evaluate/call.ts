import { type FunctionDeclaration, mismatch, type Overload } from "../check/declaration.ts";
import { callCost, equalityCost, expectedCost } from "../cost/call-cost.ts";
import { conversionNames } from "../library/conversion.ts";
import { compilePattern } from "../library/pattern.ts";
import type { Call, Expression } from "../syntax/ast.ts";
import { qualifiedName } from "../syntax/ast.ts";
import { equal } from "../values/equal.ts";
import { PlainList } from "../values/list.ts";
import { spendSteps } from "../values/work.ts";
import { Failure, OptionalValue, type Result, Uint, type Value } from "../values/value.ts";
import { type Frame, type Plan, type Step, stepOf } from "./frame.ts";
import { type NodePlanner, PlanProblem } from "./plan-scope.ts";

const patternFunctions: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

/** Everything called by name that the planner does not treat itself. */
export function planCall(node: Call, planner: NodePlanner): Plan {
  const { declared, parts } = calleeOf(node, planner);
  // Only an expression that nobody checked gets here; it may never come to the call.
  if (declared === undefined) return { kind: "step", run: () => new Failure(`unknown function: ${node.name}`) };
  if (declared.name === "_==_" || declared.name === "_!=_") return planEquality(declared, parts.map(stepOf));
  const lazy = planOptionalFallback(declared.name, parts);
  if (lazy !== undefined) return lazy;
  const folded = planner.scope.foldConstants ? fold(declared, parts) : undefined;
  if (folded !== undefined) return folded;
  const overloads =
    planner.scope.checked?.overloads[node.id] ??
    declared.overloads.filter((overload) => overload.parameters.length === parts.length);
  return { kind: "step", run: invocation(declared, overloads, parts.map(stepOf)) };
}

interface Callee {
  readonly declared: FunctionDeclaration | undefined;
  readonly parts: readonly Plan[];
}

function calleeOf(node: Call, planner: NodePlanner): Callee {
  const { names, checked } = planner.scope;
  const plans = (parts: readonly Expression[]) => parts.map((part) => planner.plan(part));
  if (node.target === undefined) return { declared: names.findFunction(node.name), parts: plans(node.arguments) };
  const prefix = checked === undefined ? qualifiedName(node.target) : undefined;
  const spelled = checked?.references[node.id] ?? (prefix === undefined ? undefined : `${prefix}.${node.name}`);
  const qualified = spelled === undefined ? undefined : names.findFunction(spelled);
  if (qualified !== undefined) return { declared: qualified, parts: plans(node.arguments) };
  return { declared: names.findFunction(node.name), parts: plans([node.target, ...node.arguments]) };
}

function invocation(declared: FunctionDeclaration, overloads: readonly Overload[], steps: readonly Step[]): Step {
  const { name } = declared;
  return (frame) => {
    const values: Value[] = [];
    let failure: Failure | undefined;
    for (const step of steps) {
      const value = step(frame);
      if (!(value instanceof Failure)) {
        values.push(value);
        continue;
      }
      failure ??= value;
      // Of more than two arguments those after the first failure are not looked at, and the call is free.
      if (steps.length > 2) return failure;
    }
    if (failure !== undefined) {
      frame.charge(1);
      return failure;
    }
    return invoke(frame, { name, overloads, values });
  };
}

function invoke(
  frame: Frame,
  {
    name,
    overloads,
    values,
  }: { readonly name: string; readonly overloads: readonly Overload[]; readonly values: readonly Value[] },
): Result {
  if (demanding.has(name)) ensureAffordable(frame, { name, overloads, values });
  for (const overload of overloads) {
    const result = overload.invoke(values);
    if (result === mismatch) continue;
    // With several signatures to choose from nobody knows the one that costs come from.
    frame.charge(callCost(name, overloads.length === 1 ? overload.id : "", values, result));
    return result;
  }
  frame.charge(1);
  return new Failure(name === "size" ? "no such overload: size" : "no such overload");
}

// What takes longer than its arguments are long, so that it has to be known beforehand whether it may run.
const demanding: ReadonlySet<string> = new Set([
  "matches",
  "find",
  "findAll",
  "replace",
  "distinct",
  "sort",
  "@sortByAssociatedKeys",
  "sets.contains",
  "sets.intersects",
  "sets.equivalent",
  "lists.range",
]);

function ensureAffordable(
  frame: Frame,
  {
    name,
    overloads,
    values,
  }: { readonly name: string; readonly overloads: readonly Overload[]; readonly values: readonly Value[] },
): void {
  const cost = expectedCost(name, overloads[0]?.id ?? "", values);
  if (overloads.length === 1) frame.ensure(cost);
  else spendSteps(cost);
}

function planEquality(declared: FunctionDeclaration, steps: readonly Step[]): Plan {
  const [left, right] = steps;
  if (left === undefined || right === undefined) throw new PlanProblem("equality takes two operands");
  const negated = declared.name === "_!=_";
  const run: Step = (frame) => {
    const first = left(frame);
    const second = right(frame);
    if (typeof first === "string" && typeof second === "string") {
      frame.charge(equalityCost(first, second));
      return (first === second) !== negated;
    }
    if (first instanceof Failure || second instanceof Failure) {
      frame.charge(1);
      return first instanceof Failure ? first : second;
    }
    frame.charge(equalityCost(first, second));
    const same = equal(first, second);
    if (same instanceof Failure) return same;
    return negated ? !same : same;
  };
  return { kind: "step", run };
}

/** `or` and `orValue` look at their argument only if there is need, and cost nothing. */
function planOptionalFallback(name: string, parts: readonly Plan[]): Plan | undefined {
  const [optional, fallback] = parts.map(stepOf);
  if ((name !== "or" && name !== "orValue") || optional === undefined || fallback === undefined) return undefined;
  const run: Step = (frame) => {
    const value = optional(frame);
    if (value instanceof Failure) return value;
    if (!(value instanceof OptionalValue)) return new Failure("no such overload");
    if (value.value === undefined) return fallback(frame);
    return name === "or" ? value : value.value;
  };
  return { kind: "step", run };
}

/** Computes what only depends on constants, before anything runs. */
function fold(declared: FunctionDeclaration, parts: readonly Plan[]): Plan | undefined {
  const [first, second] = parts;
  if (declared.name === "@in" && second?.kind === "constant" && second.value instanceof PlainList) {
    return planMembership(first, second.value);
  }
  if (patternFunctions.has(declared.name) && second?.kind === "constant" && typeof second.value === "string") {
    const compiled = compilePattern(second.value);
    if (compiled instanceof Failure) throw new PlanProblem(compiled.message);
  }
  if (!conversionNames.has(declared.name) || parts.length !== 1 || first?.kind !== "constant") return undefined;
  for (const overload of declared.overloads) {
    const result = overload.invoke([first.value]);
    if (result === mismatch) continue;
    if (result instanceof Failure) throw new PlanProblem(result.message);
    return { kind: "constant", value: result };
  }
  return undefined;
}

/** `x in [1, 2, 3]` is looked up at once and free of charge. */
function planMembership(element: Plan | undefined, list: PlainList): Plan | undefined {
  if (element === undefined) return undefined;
  if (list.size === 0) return { kind: "constant", value: false };
  const members = new Set<string>();
  for (let index = 0; index < list.size; index++) {
    const name = memberName(list.at(index));
    if (name === undefined) return undefined;
    members.add(name);
  }
  const step = stepOf(element);
  return {
    kind: "step",
    run: (frame) => {
      const value = step(frame);
      return value instanceof Failure ? value : members.has(memberName(value) ?? "");
    },
  };
}

function memberName(value: Value): string | undefined {
  if (typeof value === "string") return `s${value}`;
  if (typeof value === "boolean") return `b${value}`;
  if (typeof value === "bigint") return `n${value}`;
  if (value instanceof Uint) return `n${value.value}`;
  if (typeof value === "number") return Number.isInteger(value) ? `n${BigInt(value)}` : `d${value}`;
  return undefined;
}
