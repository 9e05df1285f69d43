import type { Comprehension, Expression, Identifier, ListLiteral, MapLiteral, Select } from "../syntax/ast.ts";
import { qualifiedName } from "../syntax/ast.ts";
import { PlainList } from "../values/list.ts";
import { PlainMap } from "../values/map.ts";
import { Failure, OptionalValue, type Result, TypeValue, type Value } from "../values/value.ts";
import { planCall } from "./call.ts";
import { planComprehension } from "./comprehension.ts";
import { planField, planFieldTest, planIndex, planOptionalField, planOptionalIndex } from "./attribute.ts";
import { type Frame, type Plan, type Step, stepOf } from "./frame.ts";
import { type NodePlanner, PlanProblem, type PlanScope } from "./plan-scope.ts";
import { planAnd, planConditional, planNotStrictlyFalse, planOr } from "./logic.ts";

const listCost = 10;
const mapCost = 30;

/** Turns nodes into closures, once, so that running them again and again costs little. */
export class Planner implements NodePlanner {
  readonly scope: PlanScope;
  readonly #locals: string[] = [];

  constructor(scope: PlanScope) {
    this.scope = scope;
  }

  plan(node: Expression): Plan {
    switch (node.kind) {
      case "literal":
        return { kind: "constant", value: node.value };
      case "identifier":
        return this.#identifier(node);
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "comprehension":
        return this.#comprehension(node);
      case "struct":
      case "unspecified":
        throw new PlanProblem(`unsupported expression of kind ${node.kind}`);
    }
  }

  step(node: Expression): Step {
    return stepOf(this.plan(node));
  }

  #identifier(node: Identifier): Plan {
    const slot = this.#locals.lastIndexOf(node.name);
    if (slot !== -1) return chain((frame) => orMissing(frame.slots[slot], node.name));
    const referred = this.scope.checked?.references[node.id];
    return this.#named(referred === undefined ? this.scope.names.candidates(node.name) : [referred]);
  }

  /** A name from outside: a variable, or a type. */
  #named(candidates: readonly string[]): Plan {
    const [first = ""] = candidates;
    for (const name of candidates) {
      const type = this.scope.typeNamed(name);
      if (type !== undefined) return { kind: "constant", value: new TypeValue(type) };
    }
    if (candidates.length === 1) {
      return chain((frame) => orMissing(frame.bindings.get(first), first));
    }
    return chain((frame) => {
      for (const name of candidates) {
        const value = frame.bindings.get(name);
        if (value !== undefined) return value;
      }
      return orMissing(undefined, candidates.join(", "));
    });
  }

  #select(node: Select): Plan {
    const referred = this.scope.checked?.references[node.id];
    if (referred !== undefined) return this.#named([referred]);
    if (this.scope.checked === undefined) {
      const unchecked = this.#uncheckedName(node);
      if (unchecked !== undefined) return unchecked;
    }
    const operand = this.plan(node.operand);
    return node.testOnly ? planFieldTest(operand, node.field) : planField(operand, node.field);
  }

  /** Without a checker only the variables at hand tell whether `a.b` is a name or the field of a name. */
  #uncheckedName(node: Select): Plan | undefined {
    const name = qualifiedName(node);
    if (name === undefined || this.#locals.includes(name.split(".", 1)[0] ?? "")) return undefined;
    const candidates = this.scope.names.candidates(name);
    const type = candidates.map((candidate) => this.scope.typeNamed(candidate)).find((found) => found !== undefined);
    if (type !== undefined) return { kind: "constant", value: new TypeValue(type) };
    const asField = planField(this.plan(node.operand), node.field);
    const run = stepOf(asField);
    return chain((frame) => {
      const bound = candidates.map((candidate) => frame.bindings.get(candidate)).find((found) => found !== undefined);
      return bound === undefined ? run(frame) : bound;
    });
  }

  #call(node: Extract<Expression, { kind: "call" }>): Plan {
    const [first, second, third] = node.arguments;
    if (first !== undefined && second !== undefined && node.target === undefined) {
      switch (node.name) {
        case "_&&_":
          return planAnd(this.step(first), this.step(second));
        case "_||_":
          return planOr(this.step(first), this.step(second));
        case "_[_]":
          return planIndex(this.plan(first), this.plan(second));
        case "_[?_]":
          return planOptionalIndex(this.plan(first), this.plan(second));
        case "_?._":
          return planOptionalField(
            this.plan(first),
            second.kind === "literal" && typeof second.value === "string" ? second.value : "",
          );
        case "_?_:_":
          if (third === undefined) break;
          return planConditional(this.step(first), this.plan(second), this.plan(third));
      }
    }
    if (node.name === "@not_strictly_false" && first !== undefined) return planNotStrictlyFalse(this.step(first));
    return planCall(node, this);
  }

  #list(node: ListLiteral): Plan {
    const parts = node.elements.map((element) => this.plan(element));
    const constants = parts.flatMap((part) => (part.kind === "constant" ? [part.value] : []));
    if (this.scope.foldConstants && constants.length === parts.length && node.optional.size === 0) {
      // Each use takes a copy, because a list may grow in place.
      return { kind: "constant", value: new PlainList(constants) };
    }
    const steps = parts.map(stepOf);
    return {
      kind: "step",
      run: (frame) => {
        const items: Value[] = [];
        let failure: Failure | undefined;
        for (let index = 0; index < steps.length && failure === undefined; index++) {
          const item = steps[index]?.(frame) ?? null;
          if (item instanceof Failure) failure = item;
          else if (node.optional.has(index)) failure = addOptional(items, item);
          else items.push(item);
        }
        frame.charge(listCost);
        return failure ?? new PlainList(items);
      },
    };
  }

  #map(node: MapLiteral): Plan {
    const entries = node.entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    if (this.scope.foldConstants && entries.every(isConstantEntry))
      return { kind: "constant", value: foldMap(entries) };
    const steps = entries.map(({ key, value, optional }) => planEntry(stepOf(key), stepOf(value), optional));
    return {
      kind: "step",
      run: (frame) => {
        const pairs: [Value, Value][] = [];
        let failure: Failure | undefined;
        for (let index = 0; index < steps.length && failure === undefined; index++) {
          failure = steps[index]?.(frame, pairs);
        }
        frame.charge(mapCost);
        return failure ?? PlainMap.of(pairs);
      },
    };
  }

  #comprehension(node: Comprehension): Plan {
    const range = this.step(node.range);
    const initial = this.step(node.initial);
    const accumulator = this.#declare(node.accumulator);
    const variable = this.#declare(node.variable);
    const variable2 = node.variable2 === undefined ? undefined : this.#declare(node.variable2);
    const condition = this.plan(node.condition);
    const isEndless = condition.kind === "constant" && condition.value === true;
    const step = this.step(node.step);
    this.#locals.length = variable;
    const result = this.step(node.result);
    this.#locals.length = accumulator;
    return planComprehension({
      range,
      initial,
      accumulator,
      variable,
      variable2,
      condition: isEndless ? undefined : stepOf(condition),
      step,
      result,
    });
  }

  #declare(name: string): number {
    return this.#locals.push(name) - 1;
  }
}

/** The start of a chain: one unit, which is not due where it continues another chain. */
function chain(read: (frame: Frame) => Result): Plan {
  return {
    kind: "step",
    run: (frame) => {
      frame.charge(1);
      return read(frame);
    },
    continued: read,
    isRoot: true,
  };
}

function orMissing(value: Result | undefined, name: string): Result {
  return value === undefined ? new Failure(`no such attribute(s): ${name}`) : value;
}

/** Adds an entry to a map in the making, or says why it cannot. */
function planEntry(keyStep: Step, valueStep: Step, optional: boolean) {
  return (frame: Frame, pairs: [Value, Value][]): Failure | undefined => {
    const key = keyStep(frame);
    if (key instanceof Failure) return key;
    const value = valueStep(frame);
    if (value instanceof Failure) return value;
    if (!optional) pairs.push([key, value]);
    else if (!(value instanceof OptionalValue)) return new Failure("cannot initialize optional entry");
    else if (value.value !== undefined) pairs.push([key, value.value]);
    return undefined;
  };
}

function addOptional(items: Value[], item: Value): Failure | undefined {
  if (!(item instanceof OptionalValue)) return new Failure("cannot initialize optional list element");
  if (item.value !== undefined) items.push(item.value);
  return undefined;
}

interface ConstantEntry {
  readonly key: { readonly kind: "constant"; readonly value: Value };
  readonly value: { readonly kind: "constant"; readonly value: Value };
}

function isConstantEntry(entry: {
  readonly key: Plan;
  readonly value: Plan;
  readonly optional: boolean;
}): entry is ConstantEntry & { readonly optional: boolean } {
  return entry.key.kind === "constant" && entry.value.kind === "constant" && !entry.optional;
}

/** In a constant map the last of equal keys wins, where one that is computed fails. */
function foldMap(entries: readonly ConstantEntry[]): Value {
  const last = entries.filter(
    ({ key }, index) => !entries.slice(index + 1).some((later) => later.key.value === key.value),
  );
  const map = PlainMap.of(last.map(({ key, value }) => [key.value, value.value]));
  if (map instanceof Failure) throw new PlanProblem(map.message);
  return map;
}
