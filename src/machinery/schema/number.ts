import type { Json } from "../json.ts";

const smallestInt64 = -(2n ** 63n);
const largestInt64 = 2n ** 63n - 1n;

/** True for what Kubernetes reads as an integer: it fits 64 bits and a number holds it exactly. */
export function isInt64(value: Json): value is number | bigint {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "bigint" && value >= smallestInt64 && value <= largestInt64;
}

export function isNumeric(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** True for a fraction so close to an integer that the validator takes it for one; negative ones have to be exact. */
export function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return value > 0 && whole !== 0 && (value - whole) / (value + whole) < 1e-9;
}

/** A number as Go prints it with `%v`. */
export function formatNumber(value: number | bigint): string {
  if (typeof value === "bigint" || value === 0) return String(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
