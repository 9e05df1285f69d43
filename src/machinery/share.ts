import { deepEqual } from "./equal.ts";

/**
 * The same value, with every part that equals its counterpart in an older value taken from there. Whoever compares the
 * two afterwards finds equal parts by identity, and both together take little more memory than one.
 */
export function sharing<T>(value: T, older: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes back equals what went in
  return shared(value, older, 0) as T;
}

interface Members {
  readonly [key: string]: unknown;
}

/** Equal to nothing, not even to a member that is undefined. */
const missing = Symbol("missing");

// Comparing a part whole is quicker than walking it, but what differs is then looked at again: so not the largest parts,
// one of which nearly always differs, and not those far down.
const comparedWhole = { from: 2, to: 3 };

/** A whole is the older one where all of its parts are. */
function shared(value: unknown, older: unknown, level: number): unknown {
  if (value === older) return older;
  if (typeof value !== "object" || typeof older !== "object" || value === null || older === null)
    return deepEqual(value, older) ? older : value;
  if (level >= comparedWhole.from && level <= comparedWhole.to && deepEqual(value, older)) return older;
  if (Array.isArray(value)) return Array.isArray(older) ? sharedList(value, older, level) : value;
  return Array.isArray(older) ? value : sharedObject(membersOf(value), membersOf(older), level);
}

function sharedList(value: readonly unknown[], older: readonly unknown[], level: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const part = shared(value[index], older[index], level + 1);
    if (part !== older[index]) copy ??= older.slice(0, index);
    copy?.push(part);
  }
  return copy ?? (value.length === older.length ? older : older.slice(0, value.length));
}

function sharedObject(value: Members, older: Members, level: number): object {
  const keys = Object.keys(value);
  const parts: unknown[] = [];
  let isSame = keys.length === Object.keys(older).length;
  for (const key of keys) {
    const other = Object.hasOwn(older, key) ? older[key] : missing;
    const part = shared(value[key], other, level + 1);
    isSame &&= part === other;
    parts.push(part);
  }
  return isSame ? older : withParts(value, keys, parts);
}

function withParts(value: Members, keys: readonly string[], parts: readonly unknown[]): object {
  let copy: object | undefined;
  for (const [index, key] of keys.entries()) {
    const part = parts[index];
    // The key exists in the copy already, so that even one called __proto__ only gets another value.
    if (part !== value[key]) Object.defineProperty((copy ??= { ...value }), key, { value: part });
  }
  return copy ?? value;
}

function membersOf(object: object): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as Members;
}
