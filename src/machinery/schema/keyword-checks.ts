import { deepEqual } from "../equal.ts";
import type { Json } from "../json.ts";
import { repetitions } from "./list-uniqueness.ts";
import { isInt64, isNearInteger } from "./number.ts";

/** True when an enumeration holds a value; a fraction counts as the integer it is cut to, null is never found. */
export function isEnumerated(enumeration: readonly Json[], value: Json): boolean {
  if (value === null) return false;
  return enumeration.some((allowed) => {
    if (typeof value === "number" && isInt64(allowed)) return Math.trunc(value) === Number(allowed);
    return deepEqual(allowed, value);
  });
}

export interface Bound {
  readonly limit: number | bigint;
  readonly exclusive: boolean;
}

/** The limit that applies to a value: integers are compared with integers, so a fraction of the limit is cut. */
export function limitFor(value: number | bigint, { limit }: Bound): number | bigint {
  return isInt64(value) && typeof limit === "number" ? Math.trunc(limit) : limit;
}

export function isAbove(value: number | bigint, bound: Bound): boolean {
  const limit = limitFor(value, bound);
  return bound.exclusive ? value >= limit : value > limit;
}

export function isBelow(value: number | bigint, bound: Bound): boolean {
  const limit = limitFor(value, bound);
  return bound.exclusive ? value <= limit : value < limit;
}

/** How a value stands to `multipleOf`. For integers the factor is cut to an integer first. */
export function multiplicity(value: number | bigint, factor: number): "multiple" | "no-multiple" | "not-positive" {
  if (isInt64(value)) {
    const whole = Math.trunc(factor);
    if (whole <= 0) return "not-positive";
    return BigInt(value) % BigInt(whole) === 0n ? "multiple" : "no-multiple";
  }
  if (factor <= 0) return "not-positive";
  const ratio = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  return isNearInteger(ratio) ? "multiple" : "no-multiple";
}

/** True when a list holds two equal values. */
export function hasDuplicates(list: readonly Json[]): boolean {
  return repetitions(list).length > 0;
}
