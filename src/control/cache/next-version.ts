import { deepestJson, deepFreeze, JsonTooDeepError, sharing } from "#machinery";
import type { StringPool } from "./string-pool.ts";

/**
 * A value in the form in which it is kept after an older one: all parts that did not change are those of the older one,
 * other texts come out of the pool, and everything is frozen. What is not frozen yet belongs to nobody else and is
 * finished in place, because most of it is new, and a copy would be the second one.
 */
export function nextVersion<T>(value: T, older: object, texts: StringPool): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes back equals what went in
  return finished(value, older, { texts, depth: 0 }) as T;
}

interface Place {
  readonly texts: StringPool;
  readonly depth: number;
}

interface Members {
  readonly [key: string]: unknown;
}

interface Draft {
  [key: string]: unknown;
}

const noMembers: Members = Object.freeze({});
const noList: readonly unknown[] = Object.freeze([]);

function finished(value: unknown, older: unknown, place: Place): unknown {
  // Of two equal texts the older one, so that what came with the other need not be kept.
  if (value === older) return older;
  if (typeof value === "string") return place.texts.one(value);
  if (typeof value !== "object" || value === null) return value;
  if (Object.isFrozen(value)) return finishedCopy(value, older, place);
  if (place.depth > deepestJson) throw new JsonTooDeepError();
  const inside = { texts: place.texts, depth: place.depth + 1 };
  if (Array.isArray(value)) return finishedList(value, Array.isArray(older) ? older : noList, inside);
  return finishedObject(draftOf(value), membersOf(older), inside);
}

function finishedList(list: unknown[], older: readonly unknown[], place: Place): readonly unknown[] {
  let isSame = list.length === older.length;
  for (let index = 0; index < list.length; index += 1) {
    const part = finished(list[index], older[index], place);
    if (part !== older[index]) isSame = false;
    list[index] = part;
  }
  return isSame ? older : Object.freeze(list);
}

function finishedObject(object: Draft, older: Members, place: Place): Members {
  let same = 0;
  let size = 0;
  for (const key in object) {
    const other = older[key];
    const given = object[key];
    const part = finished(given, other, place);
    if (part === other && part !== undefined) same += 1;
    size += 1;
    if (part !== given) object[key] = part;
  }
  return same === size && same === sizeOf(older) ? older : Object.freeze(object);
}

/** What is frozen may be others'. */
function finishedCopy(value: object, older: unknown, { texts }: Place): object {
  return deepFreeze(texts.intern(sharing(value, older)), membersOf(older));
}

function sizeOf(object: Members): number {
  let size = 0;
  for (const _ in object) size += 1;
  return size;
}

function draftOf(object: object): Draft {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as Draft;
}

function membersOf(value: unknown): Members {
  // What a value inherits under the key __proto__ is no part of it; all else that is inherited is no object.
  if (typeof value !== "object" || value === null || value === Object.prototype) return noMembers;
  return Array.isArray(value) ? noMembers : draftOf(value);
}
