import { deepEqual } from "./equal.ts";

/**
 * The same value, with every part that equals its counterpart in an older value taken from there. Whoever compares the
 * two afterwards finds equal parts by identity, and both together take little more memory than one.
 */
export function sharing<T>(value: T, older: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes back equals what went in
  return shared(value, older) as T;
}

interface Members {
  readonly [key: string]: unknown;
}

/** Equal parts are found whole; only the way to a difference is walked part by part. */
function shared(value: unknown, older: unknown): unknown {
  if (value === older || typeof value !== "object" || typeof older !== "object") return value;
  if (value === null || older === null) return value;
  if (deepEqual(value, older)) return older;
  if (Array.isArray(value)) return Array.isArray(older) ? sharedList(value, older) : value;
  return Array.isArray(older) ? value : sharedObject(membersOf(value), membersOf(older));
}

function sharedList(value: readonly unknown[], older: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    const part = shared(item, older[index]);
    if (part !== item) (copy ??= value.slice())[index] = part;
  }
  return copy ?? value;
}

function sharedObject(value: Members, older: Members): object {
  let copy: object | undefined;
  for (const key in value) {
    const item = value[key];
    if (typeof item !== "object" || !Object.hasOwn(older, key)) continue;
    const part = shared(item, older[key]);
    // The key exists in the copy already, so that even one called __proto__ only gets another value.
    if (part !== item) Object.defineProperty((copy ??= { ...value }), key, { value: part });
  }
  return copy ?? value;
}

function membersOf(object: object): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as Members;
}
