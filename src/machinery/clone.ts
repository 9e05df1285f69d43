import { deepestJson } from "./json.ts";

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

// Somebody else may have frozen the outside of a value alone, so that only what was frozen here counts as frozen throughout.
const frozenThroughout = new WeakSet<object>();

const nothing = Object.freeze({});

// Deep enough for the parts of an object, such as its spec, which come again in its next version.
const rememberedLevels = 1;

/**
 * Freezes a value with everything inside and hands it back. Parts that were frozen here before are passed over, and so is
 * what is the very same in an older value that is frozen throughout: freezing a new object around old parts costs little
 * more than the new part.
 */
export function deepFreeze<T>(value: T, older?: object): T {
  const postponed: unknown[] = [];
  freeze(value, older, { depth: 0, postponed });
  while (postponed.length > 0) freeze(postponed.pop(), undefined, { depth: 0, postponed });
  return value;
}

/** True for an object that deepFreeze has frozen, or that is a direct part of one; nobody can change it any more. */
export function isDeeplyFrozen(value: object): boolean {
  return frozenThroughout.has(value);
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

interface Freezing {
  readonly depth: number;
  readonly postponed: unknown[];
}

function freeze(value: unknown, older: unknown, { depth, postponed }: Freezing): void {
  if (typeof value !== "object" || value === null || value === older || frozenThroughout.has(value)) return;
  if (depth === deepestJson) {
    postponed.push(value);
    return;
  }
  Object.freeze(value);
  const before = typeof older === "object" && older !== null ? older : nothing;
  const inside = { depth: depth + 1, postponed };
  for (const key of Object.keys(value)) {
    const part: unknown = Reflect.get(value, key);
    if (typeof part === "object") freeze(part, Reflect.get(before, key), inside);
  }
  if (depth <= rememberedLevels) frozenThroughout.add(value);
}
