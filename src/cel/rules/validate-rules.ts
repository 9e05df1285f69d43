import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonSchema,
  omitted,
  required,
} from "#machinery";
import type { Outcome, Program } from "../evaluate/program.ts";
import { Failure, OptionalValue, type Result } from "../values/value.ts";
import type { CompiledRule } from "./compile-rule.ts";
import { Correlation, itemKey, keyedItems } from "./correlation.ts";
import { messageOf, type MessageOutcome, ruleText } from "./rule-message.ts";
import { type RuleNode, ruleNodeOf } from "./rule-node.ts";

/** The most that one evaluation may cost. */
export const perCallLimit = 1_000_000;
/** The most that all rules together may cost for one object. */
export const objectBudget = 10_000_000;

/** What is left to spend on rules; one budget can be handed to several validations. */
export interface CostBudget {
  remaining: number;
}

/** A fresh budget for one object. */
export function createCostBudget(remaining: number = objectBudget): CostBudget {
  return { remaining };
}

/** What a validation can take into account besides the value. */
export interface ValidateOptions {
  /** The value before the change; rules about changes are skipped without one. */
  readonly oldValue?: Json;
  readonly path?: FieldPath;
  readonly budget?: CostBudget;
  /** Told of what is wrong but was wrong before the change already, and so is let pass. */
  readonly warn?: (error: FieldError) => void;
  /** False lets nothing pass for having been wrong before. */
  readonly ratcheting?: boolean;
}

/** The compiled rules of a schema. */
export interface CompiledRules {
  /** True where the schema has no rule at all. */
  readonly isEmpty: boolean;
  /** Runs the rules over a value that is valid otherwise. */
  validate(value: Json, options?: ValidateOptions): FieldError[];
  /** The rules of a part of the schema, for values of that part alone. */
  part(schema: JsonSchema): CompiledRules;
}

/** Compiles the rules of a schema; `isResource` is true for the root of a custom resource. */
export function compileRules(
  schema: JsonSchema,
  { isResource = true }: { readonly isResource?: boolean } = {},
): CompiledRules {
  const parts = new Map<JsonSchema, RuleNode | undefined>();
  const node = ruleNodeOf(schema, { isResource, onPlace: (part, found) => parts.set(part, found) });
  if (node === undefined) return noRules;
  return rulesAt(node, (part) => {
    // What no rule above can see has types of its own.
    if (!parts.has(part)) return compileRules(part, { isResource: false });
    const found = parts.get(part);
    return found === undefined ? noRules : rulesAt(found, (inner) => compileRules(inner, { isResource: false }));
  });
}

const noRules: CompiledRules = { isEmpty: true, validate: () => [], part: () => noRules };

function rulesAt(node: RuleNode, part: CompiledRules["part"]): CompiledRules {
  return {
    isEmpty: false,
    validate: (value, options = {}) => {
      const {
        oldValue,
        path = FieldPath.root,
        budget = createCostBudget(),
        warn = () => {},
        ratcheting = true,
      } = options;
      const walk = new RuleWalk(budget, warn);
      const isChange = oldValue !== undefined && oldValue !== null;
      const current = isChange && ratcheting ? new Correlation(value, oldValue, node.schema) : undefined;
      walk.visit(node, { value, oldValue, path, ratchet: { current, parent: undefined } });
      return walk.errors;
    },
    part,
  };
}

/** How a place relates to the old object: itself, and the nearest place above that has a counterpart. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

interface Place {
  readonly value: Json;
  readonly oldValue: Json | undefined;
  readonly path: FieldPath;
  readonly ratchet: Ratchet;
}

const exhausted = "validation failed due to running out of cost budget, no further validation rules will be run";

class RuleWalk {
  readonly errors: FieldError[] = [];
  readonly #budget: CostBudget;
  readonly #warn: (error: FieldError) => void;

  constructor(budget: CostBudget, warn: (error: FieldError) => void) {
    this.#budget = budget;
    this.#warn = warn;
  }

  /** False when no further rule may run. */
  visit(node: RuleNode, place: Place): boolean {
    if (place.value === null) return true;
    if (!this.#runRules(node, place)) return false;
    for (const part of node.allOf) {
      // What stands in allOf is not ratcheted by itself.
      const ratchet = { current: undefined, parent: place.ratchet.parent };
      if (!this.visit(part, { ...place, ratchet })) return false;
    }
    if (isJsonList(place.value)) return this.#visitItems(node, place, place.value);
    return isJsonObject(place.value) ? this.#visitMembers(node, place, place.value) : true;
  }

  #visitItems({ items, schema }: RuleNode, { oldValue, path, ratchet }: Place, list: readonly Json[]): boolean {
    if (items === undefined) return true;
    const oldItems = keyedItems(oldValue !== undefined && isJsonList(oldValue) ? oldValue : [], schema);
    return list.every((value, index) => {
      const key = oldItems.size === 0 ? undefined : itemKey(value, schema);
      return this.visit(items, {
        value,
        oldValue: key === undefined ? undefined : oldItems.get(key),
        path: path.index(index),
        ratchet: below(ratchet, (current) => current.index(index)),
      });
    });
  }

  #visitMembers(node: RuleNode, place: Place, object: Readonly<Record<string, Json>>): boolean {
    const { values, properties } = node;
    const visitMember = (child: RuleNode, name: string, path: FieldPath): boolean => {
      const value = object[name];
      if (value === undefined) return true;
      const { oldValue } = place;
      const old = oldValue !== undefined && isJsonObject(oldValue) && Object.hasOwn(oldValue, name);
      return this.visit(child, {
        value,
        oldValue: old && isJsonObject(oldValue) ? oldValue[name] : undefined,
        path,
        ratchet: member(place.ratchet, name),
      });
    };
    if (values !== undefined) {
      const names = Object.keys(object).toSorted();
      if (!names.every((name) => visitMember(values, name, place.path.key(name)))) return false;
    }
    return properties.every(
      ([name, child]) => !Object.hasOwn(object, name) || visitMember(child, name, place.path.child(name)),
    );
  }

  #runRules(node: RuleNode, place: Place): boolean {
    const compiled = node.rules();
    const { type = "" } = node.schema;
    if (compiled.kind === "refused") {
      this.errors.push(invalid(place.path, type, `rule compiler initialization error: ${compiled.problem}`));
      return true;
    }
    if (compiled.rules.length === 0) return true;
    if (this.#budget.remaining <= 0) return this.#stop(invalid(place.path, type, exhausted));
    const self = compiled.read(place.value);
    const hasOld = place.oldValue !== undefined && place.oldValue !== null;
    const oldSelf = hasOld ? compiled.read(place.oldValue) : undefined;
    return compiled.rules.every((rule) => this.#runRule(rule, { ...place, type, self, oldSelf }));
  }

  #runRule(compiled: CompiledRule, place: RulePlace): boolean {
    const { rule, expression, usesOldSelf } = compiled;
    const { path, type } = place;
    if ("problem" in expression) {
      this.errors.push(invalid(path, type, `rule compile error: ${expression.problem}`));
      return true;
    }
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && place.oldSelf === undefined && !isOptional) return true;
    const outcome = evaluate(expression.program, { ...place, isOptional });
    if (outcome.cost > this.#budget.remaining) return this.#stop(invalid(path, type, exhausted));
    this.#budget.remaining -= outcome.cost;
    if (outcome.kind === "cancelled") {
      const detail = `'${outcome.reason}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`;
      return this.#stop(invalid(path, type, detail));
    }
    if (outcome.result instanceof Failure) {
      this.errors.push(invalid(path, type, failureText(outcome.result, ruleText(rule))));
      return true;
    }
    return outcome.result === true ? true : this.#refuse(compiled, place);
  }

  /** The rule does not hold: says so, in the words that the rule has for it. */
  #refuse(compiled: CompiledRule, place: RulePlace): boolean {
    const path = compiled.fieldPath === undefined ? place.path : place.path.child(compiled.fieldPath);
    const add = (error: FieldError): void => {
      if (!compiled.usesOldSelf && isRatcheted(place.ratchet)) this.#warn(error);
      else this.errors.push(error);
    };
    const message: MessageOutcome = messageOf(compiled, this.#budget, (program) =>
      evaluate(program, { ...place, isOptional: false }),
    );
    if (message.kind === "stopped") {
      add(invalid(path, place.type, message.problem));
      this.#budget.remaining = -1;
      return false;
    }
    const isScalar = place.type !== "object" && place.type !== "array";
    add(errorFor(path, isScalar ? place.value : omitted, message.text, compiled.rule.reason));
    return true;
  }

  #stop(error: FieldError): false {
    this.errors.push(error);
    this.#budget.remaining = -1;
    return false;
  }
}

interface RulePlace extends Place {
  /** The type of the schema, which stands in for the value in some errors. */
  readonly type: string;
  readonly self: Result;
  readonly oldSelf: Result | undefined;
}

function evaluate(
  program: Program,
  { self, oldSelf, isOptional }: Pick<RulePlace, "self" | "oldSelf"> & { readonly isOptional: boolean },
): Outcome {
  const old = isOptional ? optionally(oldSelf) : oldSelf;
  return program.evaluate(
    { get: (name) => (name === "self" ? self : name === "oldSelf" ? old : undefined) },
    { costLimit: perCallLimit },
  );
}

function optionally(value: Result | undefined): Result {
  if (value instanceof Failure) return value;
  return value === undefined ? OptionalValue.none : new OptionalValue(value);
}

function failureText({ message }: Failure, rule: string): string {
  if (!message.startsWith("no such overload")) return `${message} evaluating rule: ${rule}`;
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
}

function errorFor(
  path: FieldPath,
  value: FieldError["value"],
  detail: string,
  reason: CompiledRule["rule"]["reason"],
): FieldError {
  if (reason === "FieldValueForbidden") return forbidden(path, detail);
  if (reason === "FieldValueRequired") return required(path, detail);
  return reason === "FieldValueDuplicate" ? duplicate(path, value) : invalid(path, value, detail);
}

/** What was wrong before is let pass as long as it does not change. */
function isRatcheted({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isSame ?? false;
}

function member(ratchet: Ratchet, name: string): Ratchet {
  // Both objects were converted to one version, so a change of these cannot be seen.
  const isHidden = ratchet.parent === undefined && (name === "apiVersion" || name === "kind");
  if (ratchet.current !== undefined && isHidden) return { current: undefined, parent: undefined };
  return below(ratchet, (current) => current.key(name));
}

function below(ratchet: Ratchet, step: (current: Correlation) => Correlation | undefined): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  return { current: step(ratchet.current), parent: ratchet.current };
}
