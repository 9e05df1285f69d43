import { deepestJson } from "./json.ts";

/** True where two values say the same in JSON, whatever the order of their keys. */
export function deepEqual(a: unknown, b: unknown): boolean {
  const postponed: unknown[] = [];
  if (!equal(a, b, 0, postponed)) return false;
  while (postponed.length > 0) {
    if (!equal(postponed.pop(), postponed.pop(), 0, postponed)) return false;
  }
  return true;
}

/** Recursion is fastest; what lies too deep for the stack is put off and compared by the caller. */
function equal(a: unknown, b: unknown, depth: number, postponed: unknown[]): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isSameNumber(a, b);
  // What an object inherits under the key __proto__ is no part of it; all else that is inherited is no object.
  if (b === Object.prototype) return false;
  if (depth === deepestJson) {
    postponed.push(a, b);
    return true;
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth, postponed);
  return !Array.isArray(b) && equalObjects(a, b, depth, postponed);
}

function equalLists(a: readonly unknown[], b: readonly unknown[], depth: number, postponed: unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!equal(a[index], b[index], depth + 1, postponed)) return false;
  }
  return true;
}

function equalObjects(a: object, b: object, depth: number, postponed: unknown[]): boolean {
  const [ours, theirs] = [membersOf(a), membersOf(b)];
  let more = 0;
  for (const key in ours) {
    const one = ours[key];
    const other = theirs[key];
    if (one !== other && !equal(one, other, depth + 1, postponed)) return false;
    if (one === undefined && !Object.hasOwn(theirs, key)) return false;
    more += 1;
  }
  for (const _ in theirs) more -= 1;
  return more === 0;
}

function isSameNumber(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "bigint") return Number.isInteger(a) && BigInt(a) === b;
  return typeof a === "bigint" && typeof b === "number" && isSameNumber(b, a);
}

function membersOf(object: object): { readonly [key: string]: unknown } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as { readonly [key: string]: unknown };
}
