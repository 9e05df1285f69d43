import { deepestJson } from "./json.ts";

const noMembers = Object.freeze({});

interface Unfinished {
  readonly copy: object;
}

/** A copy that shares nothing with the original and may be changed. */
export function deepClone<T>(value: T): T {
  const unfinished: Unfinished[] = [];
  const copy = clone(value, 0, unfinished);
  for (let next = unfinished.pop(); next !== undefined; next = unfinished.pop()) fill(next.copy, 0, unfinished);
  return copy;
}

/**
 * Freezes a value with everything inside and hands it back. What is the very same in an older value, which is frozen
 * throughout, is passed over: freezing a new object around old parts costs little more than the new part.
 */
export function deepFreeze<T>(value: T, older?: object): T {
  const postponed: unknown[] = [];
  freeze(value, older, 0, postponed);
  while (postponed.length > 0) freeze(postponed.pop(), undefined, 0, postponed);
  return value;
}

function clone<T>(value: T, depth: number, unfinished: Unfinished[]): T {
  if (typeof value !== "object" || value === null) return value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of a list or of an object has its type
  const copy = (Array.isArray(value) ? value.slice() : { ...value }) as T & object;
  // What lies too deep for the stack is finished by the caller.
  if (depth === deepestJson) unfinished.push({ copy });
  else fill(copy, depth, unfinished);
  return copy;
}

/** Replaces what a shallow copy still shares with its original. */
function fill(copy: object, depth: number, unfinished: Unfinished[]): void {
  if (Array.isArray(copy)) {
    for (let index = 0; index < copy.length; index++) copy[index] = clone(copy[index], depth + 1, unfinished);
    return;
  }
  for (const key of Object.keys(copy)) {
    const inside: unknown = Reflect.get(copy, key);
    if (typeof inside === "object" && inside !== null) Reflect.set(copy, key, clone(inside, depth + 1, unfinished));
  }
}

interface Members {
  readonly [key: string]: unknown;
}

function freeze(value: unknown, older: unknown, depth: number, postponed: unknown[]): void {
  if (typeof value !== "object" || value === null || value === older) return;
  if (depth === deepestJson) {
    postponed.push(value);
    return;
  }
  Object.freeze(value);
  const [members, before] = [membersOf(value), membersOf(older)];
  for (const key in members) {
    const part = members[key];
    if (typeof part === "object" && part !== null) freeze(part, before[key], depth + 1, postponed);
  }
}

function membersOf(value: unknown): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return typeof value === "object" && value !== null ? (value as Members) : noMembers;
}
