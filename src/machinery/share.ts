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

interface Draft {
  [key: string]: unknown;
}

/** A whole is the older one where all of its parts are. */
function shared(value: unknown, older: unknown): unknown {
  if (value === older) return older;
  if (typeof value !== "object" || typeof older !== "object" || value === null || older === null)
    return deepEqual(value, older) ? older : value;
  // What a value inherits under the key __proto__ is no part of it; all else that is inherited is no object.
  if (older === Object.prototype) return value;
  if (Array.isArray(value)) return Array.isArray(older) ? sharedList(value, older) : value;
  return Array.isArray(older) ? value : sharedObject(membersOf(value), membersOf(older));
}

function sharedList(value: readonly unknown[], older: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    const part = shared(value[index], older[index]);
    if (part !== older[index]) copy ??= older.slice(0, index);
    copy?.push(part);
  }
  return copy ?? (value.length === older.length ? older : older.slice(0, value.length));
}

function sharedObject(value: Members, older: Members): object {
  let same = 0;
  for (const key in value) {
    const part = value[key];
    const other = older[key];
    const taken = part === other ? other : shared(part, other);
    if (taken !== other || taken === undefined) return withShared(value, older, { same, taken });
    same += 1;
  }
  return same === sizeOf(older) ? older : withShared(value, older, { same, taken: undefined });
}

/** A copy whose parts are taken from the older value as far as they can be: the first so many as they are there. */
function withShared(value: Members, older: Members, known: Known): Members {
  // Even an equal text is taken from there, so that what came with the value need not be kept.
  const copy: Draft = { ...value };
  let index = 0;
  for (const key in value) {
    const other = older[key];
    const taken = index < known.same ? other : index === known.same ? known.taken : shared(value[key], other);
    setPart(copy, key, taken);
    index += 1;
  }
  return copy;
}

interface Known {
  /** How many parts have been found to be the same. */
  readonly same: number;
  /** What stands for the one after them. */
  readonly taken: unknown;
}

function setPart(copy: Draft, key: string, part: unknown): void {
  // To assign to __proto__ would mean something else; a key that exists already only gets another value.
  if (key === "__proto__") Object.defineProperty(copy, key, { value: part });
  else copy[key] = part;
}

function sizeOf(object: Members): number {
  let size = 0;
  for (const _ in object) size += 1;
  return size;
}

function membersOf(object: object): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as Members;
}
