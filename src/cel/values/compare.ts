import { DurationValue, TimestampValue, Uint, type Value } from "./value.ts";

/** Negative, zero or positive as `<` has it; undefined where two values have no order, NaN among them. */
export function compare(a: Value, b: Value): number | undefined {
  const number = numberOf(a);
  if (number !== undefined) {
    const other = numberOf(b);
    return other === undefined ? undefined : orderNumbers(number, other);
  }
  if (typeof a === "string") return typeof b === "string" ? compareTexts(a, b) : undefined;
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.compare(a, b) : undefined;
  const spans = a instanceof DurationValue && b instanceof DurationValue;
  const times = a instanceof TimestampValue && b instanceof TimestampValue;
  return spans || times ? order(a.nanoseconds, b.nanoseconds) : undefined;
}

function numberOf(value: Value): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof Uint ? value.value : undefined;
}

/** An integer is compared to a double as the double nearest to it. */
function orderNumbers(a: bigint | number, b: bigint | number): number | undefined {
  return typeof a === typeof b ? order(a, b) : order(Number(a), Number(b));
}

function order(a: bigint | number, b: bigint | number): number | undefined {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : undefined;
}

/** Order by code points, which is the order of the UTF-8 bytes; that of UTF-16 units differs beyond U+FFFF. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const unit = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (unit !== other) return isHalf(unit) === isHalf(other) ? unit - other : isHalf(unit) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Halves of pairs stand for characters beyond U+FFFF, so they come after every other unit. */
function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
