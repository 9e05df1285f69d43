import { Failure, type Result, Uint } from "./value.ts";

const largestInt = 2n ** 63n - 1n;
const smallestInt = -(2n ** 63n);
const largestUint = 2n ** 64n - 1n;

/** An int if it fits into 64 bits, else the failure that it does not. */
export function intOf(value: bigint): bigint | Failure {
  return value > largestInt || value < smallestInt ? new Failure("integer overflow") : value;
}

/** A uint if it fits into 64 bits, else the failure that it does not. */
export function uintOf(value: bigint): Uint | Failure {
  return value > largestUint || value < 0n ? new Failure("unsigned integer overflow") : new Uint(value);
}

/** A double cut to an integer; what is no number of the range is a failure. */
export function truncated(value: number, toInteger: (whole: bigint) => Result, overflow: string): Result {
  if (!Number.isFinite(value)) return new Failure(overflow);
  return toInteger(BigInt(Math.trunc(value)));
}
