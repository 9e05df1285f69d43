import { ListValue } from "./list.ts";
import { MapValue } from "./map.ts";
import {
  DurationValue,
  Failure,
  ObjectValue,
  OptionalValue,
  type Result,
  TimestampValue,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";
import { spendSteps } from "./work.ts";

/** True where two values are the same in the sense of `==`; numbers compare by value whatever their type. */
export function equal(a: Value, b: Value): boolean | Failure {
  if (a === b) return true;
  if (typeof a === "string" || typeof a === "boolean") return false;
  if (typeof a === "bigint" || typeof a === "number") return equalNumbers(a, b);
  return a === null || b === null ? false : equalObjects(a, b);
}

function equalNumbers(a: bigint | number, b: Value): boolean {
  if (typeof b === "bigint" || typeof b === "number") return sameNumber(a, b);
  return b instanceof Uint && sameNumber(a, b.value);
}

/** An integer is compared to a double as the double nearest to it. */
function sameNumber(a: bigint | number, b: bigint | number): boolean {
  return typeof a === typeof b ? a === b : Number(a) === Number(b);
}

function equalObjects(
  a: Exclude<Value, string | boolean | bigint | number | null>,
  b: NonNullable<Value>,
): boolean | Failure {
  if (a instanceof ListValue) return equalLists(a, b);
  if (a instanceof MapValue) return equalMaps(a, b);
  if (a instanceof Uint) return b instanceof Uint ? a.value === b.value : equalToUint(a, b);
  if (a instanceof DurationValue) return b instanceof DurationValue && a.nanoseconds === b.nanoseconds;
  if (a instanceof TimestampValue) return b instanceof TimestampValue && a.nanoseconds === b.nanoseconds;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b);
  if (a instanceof ObjectValue) return b instanceof ObjectValue && a.typeName === b.typeName && a.equals(b);
  return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
}

function equalToUint(a: Uint, b: Value): boolean {
  return (typeof b === "bigint" || typeof b === "number") && sameNumber(a.value, b);
}

function equalOptionals(a: OptionalValue, b: OptionalValue): boolean | Failure {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

function equalLists(a: ListValue, b: Value): boolean | Failure {
  if (a.equalTo !== undefined) return a.equalTo(b);
  if (!(b instanceof ListValue)) return false;
  if (a.size !== b.size) return false;
  spendSteps(a.size);
  for (let index = 0; index < a.size; index++) {
    const same = equalResults(a.at(index), b.at(index));
    if (same !== true) return same;
  }
  return true;
}

function equalMaps(a: MapValue, b: Value): boolean | Failure {
  if (a.equalTo !== undefined) return a.equalTo(b);
  if (!(b instanceof MapValue)) return false;
  if (a.size !== b.size) return false;
  spendSteps(a.size);
  for (const key of a.keys()) {
    const other = b.find(key);
    if (other === undefined) return false;
    const same = equalResults(a.find(key) ?? null, other);
    if (same !== true) return same;
  }
  return true;
}

/** The same for what may have failed; a failure is handed on. */
export function equalResults(a: Result, b: Result): boolean | Failure {
  if (a instanceof Failure) return a;
  if (b instanceof Failure) return b;
  return equal(a, b);
}
