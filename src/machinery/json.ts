import { CapstanError } from "#base";

/**
 * What JSON can say. An integer that a number cannot hold exactly is a bigint, never a rounded number.
 */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; read its members with `member`, because keys may be anything. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON object in the making. */
export interface JsonObjectDraft {
  [key: string]: Json;
}

/** How many lists and objects may lie inside each other; whatever walks an object by recursion can rely on it. */
export const deepestJson = 1_000;

/** A value that is nested more deeply than this program takes. */
export class JsonTooDeepError extends CapstanError {
  readonly code = "JSON_TOO_DEEP";

  constructor() {
    super(`exceeded max depth: more than ${deepestJson} lists and objects inside each other`);
  }
}

/** True for a JSON object: no list, no null, no scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a JSON list; unlike `Array.isArray` it keeps the type of what is inside. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member that the object itself has: `constructor` and the like are not found unless somebody wrote them. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member; `__proto__` becomes plain data like any other key. */
export function setMember(object: JsonObjectDraft, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/**
 * Throws unless a value, put so many levels down, stays within what this program takes. What is the very same in an
 * older value, which was found to do so, is passed over.
 */
export function checkDepth(value: Json, level = 0, older?: Json): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonList(value)) {
    if (value.length === 0) return;
    if (level >= deepestJson) throw new JsonTooDeepError();
    const before = isJsonList(older) ? older : undefined;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index] ?? null;
      if (typeof item === "object" && item !== before?.[index]) checkDepth(item, level + 1, before?.[index]);
    }
    return;
  }
  const before = isJsonObject(older) ? older : undefined;
  for (const key in value) {
    if (level >= deepestJson) throw new JsonTooDeepError();
    const inside = value[key];
    if (typeof inside === "object" && inside !== before?.[key]) checkDepth(inside, level + 1, before?.[key]);
  }
}
