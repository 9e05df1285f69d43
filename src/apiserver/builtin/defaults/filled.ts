import type { Json, JsonObject } from "#machinery";

/** An object with the fields that it lacks; what is empty counts as lacking. The same object where it lacks nothing. */
export function filled(object: JsonObject, defaults: JsonObject): JsonObject {
  const lacking = Object.keys(defaults).filter((name) => isLacking(object[name]));
  if (lacking.length === 0) return object;
  return { ...object, ...Object.fromEntries(lacking.map((name) => [name, defaults[name] ?? null])) };
}

/** True where a field has nothing to say. */
export function isLacking(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
