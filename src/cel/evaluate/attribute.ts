import { elementAt, valueUnder } from "../library/basics.ts";
import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { Failure, OptionalValue, type Result, type Value } from "../values/value.ts";
import { type Plan, type Step, stepOf } from "./frame.ts";

/** `a.b` */
export function planField(operand: Plan, field: string): Plan {
  const plan = extend(operand, (value) => fieldOf(value, field));
  const { run, continued } = plan;
  const isRoot = operand.kind === "step" && operand.isRoot === true && operand.continued !== undefined;
  return isRoot ? { kind: "step", run: fieldOfRoot(operand.continued, field, run), continued } : plan;
}

/** By far the most common case, a field of a variable that is there, with as few questions as possible. */
function fieldOfRoot(root: Step, field: string, otherwise: Step): Step {
  return (frame) => {
    const value = root(frame);
    const found = value instanceof MapValue ? value.find(field) : undefined;
    if (found === undefined) return otherwise(frame);
    frame.charge(2);
    return found;
  };
}

/** `has(a.b)`: asking for the last part is free, and where what it is asked of fails, so is that. */
export function planFieldTest(operand: Plan, field: string): Plan {
  const { start } = startOf(operand);
  const run: Step = (frame) => {
    const value = start(frame);
    if (!(value instanceof Failure)) return hasField(value, field);
    frame.refund(1);
    return value;
  };
  return { kind: "step", run };
}

/** `a.?b` */
export function planOptionalField(operand: Plan, field: string): Plan {
  return extend(operand, (value) => optionally(value, (inner) => find(inner, field)));
}

/** `a[b]` */
export function planIndex(operand: Plan, index: Plan): Plan {
  return extendWith(operand, index, indexOf);
}

/** `a[?b]` */
export function planOptionalIndex(operand: Plan, index: Plan): Plan {
  return extendWith(operand, index, (value, key) => optionally(value, (inner) => find(inner, key)));
}

function extend(
  operand: Plan,
  read: (value: Value) => Result,
): { readonly kind: "step"; readonly run: Step; readonly continued: Step } {
  const { start, continued } = startOf(operand);
  const after = (from: Step): Step => {
    return (frame) => {
      const value = from(frame);
      if (value instanceof Failure) return value;
      const result = read(value);
      if (!isNone(result)) frame.charge(1);
      return result;
    };
  };
  const isRoot = operand.kind === "step" && operand.isRoot === true;
  return { kind: "step", run: isRoot ? fromRoot(continued, read) : after(start), continued: after(continued) };
}

/** The common case of one field of a variable, charged at once. */
function fromRoot(root: Step, read: (value: Value) => Result): Step {
  return (frame) => {
    const value = root(frame);
    const result = value instanceof Failure ? value : read(value);
    frame.charge(value instanceof Failure || isNone(result) ? 1 : 2);
    return result;
  };
}

function extendWith(operand: Plan, index: Plan, read: (value: Value, key: Value) => Result): Plan {
  const { start, continued } = startOf(operand);
  const indexStep = index.kind === "step" && index.continued !== undefined ? index.continued : stepOf(index);
  const after = (from: Step): Step => {
    return (frame) => {
      const value = from(frame);
      if (value instanceof Failure) return value;
      const key = indexStep(frame);
      const result = key instanceof Failure ? key : read(value, key);
      if (!isNone(result)) frame.charge(1);
      return result;
    };
  };
  return { kind: "step", run: after(start), continued: after(continued) };
}

/** Nothing is due for what an optional access does not find, nor for anything after a failure. */
function isNone(result: Result): boolean {
  return result instanceof OptionalValue && result.value === undefined;
}

/** Where a chain starts: with a name it goes on, with anything else one unit is due for reading from it. */
function startOf(operand: Plan): { readonly start: Step; readonly continued: Step } {
  if (operand.kind === "step" && operand.continued !== undefined) {
    return { start: operand.run, continued: operand.continued };
  }
  const run = stepOf(operand);
  const start: Step = (frame) => {
    const value = run(frame);
    frame.charge(1);
    return value;
  };
  return { start, continued: run };
}

function fieldOf(value: Value, field: string): Result {
  if (value instanceof MapValue) return valueUnder(value, field);
  if (value instanceof OptionalValue) return optionally(value, (inner) => find(inner, field));
  return value instanceof ListValue ? elementAt(value, field) : new Failure(`no such key: ${field}`);
}

function hasField(value: Value, field: string): Result {
  if (value instanceof OptionalValue) return value.value === undefined ? false : hasField(value.value, field);
  // What has no fields has not this one.
  if (!(value instanceof MapValue)) return false;
  const found = value.find(field);
  return found instanceof Failure ? found : found !== undefined;
}

function indexOf(value: Value, key: Value): Result {
  if (value instanceof ListValue) return elementAt(value, key);
  if (value instanceof MapValue) return valueUnder(value, key);
  if (value instanceof OptionalValue) return optionally(value, (inner) => find(inner, key));
  return new Failure("no such overload");
}

/** What is found inside, as an optional; inside an absent one nothing is found. */
function optionally(value: Value, look: (inner: Value) => Result | undefined): Result {
  const inner = value instanceof OptionalValue ? value.value : value;
  if (inner === undefined) return OptionalValue.none;
  const found = look(inner);
  if (found instanceof Failure) return found;
  return found === undefined ? OptionalValue.none : new OptionalValue(found);
}

function find(value: Value, key: Value): Result | undefined {
  if (value instanceof MapValue) return value.find(key);
  if (!(value instanceof ListValue)) return new Failure("no such overload");
  const isInside = typeof key === "bigint" && key >= 0n && key < BigInt(value.size);
  if (isInside) return value.at(Number(key));
  const found = elementAt(value, key);
  return found instanceof Failure && found.message.startsWith("index out of bounds") ? undefined : found;
}
