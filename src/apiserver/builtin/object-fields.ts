import { fieldAt, isJsonList, isJsonObject, type Json, type JsonObject, type KubeObject } from "#machinery";

/** The text at a path; empty where there is none, as Go has it. */
export function textAt(object: unknown, ...path: readonly string[]): string {
  const value = fieldAt(object, ...path);
  return typeof value === "string" ? value : "";
}

/** The number at a path; undefined where there is none. */
export function numberAt(object: unknown, ...path: readonly string[]): number | undefined {
  const value = fieldAt(object, ...path);
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** The object at a path; empty where there is none. */
export function objectAt(object: unknown, ...path: readonly string[]): JsonObject {
  const value = fieldAt(object, ...path);
  return isJsonObject(value) ? value : {};
}

/** The list at a path; empty where there is none. */
export function listAt(object: unknown, ...path: readonly string[]): readonly Json[] {
  const value = fieldAt(object, ...path);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies inside an object of the API is JSON
  return isJsonList(value as Json | undefined) ? (value as readonly Json[]) : [];
}

/** The texts of the list at a path. */
export function textsAt(object: unknown, ...path: readonly string[]): readonly string[] {
  return listAt(object, ...path).filter((each) => typeof each === "string");
}

/** A map of texts, such as labels; what is no text counts as an empty one. */
export function textMap(map: JsonObject): { readonly [key: string]: string } {
  return Object.fromEntries(Object.keys(map).map((key) => [key, textAt(map, key)]));
}

export function isSet(object: unknown, ...path: readonly string[]): boolean {
  const value = fieldAt(object, ...path);
  return value !== undefined && value !== null;
}

/** An object with some fields of `spec` replaced. */
export function withSpec(object: KubeObject, fields: JsonObject): KubeObject {
  return { ...object, spec: { ...objectAt(object, "spec"), ...fields } };
}

/** An object with some fields of `status` replaced. */
export function withStatus(object: KubeObject, fields: JsonObject): KubeObject {
  return { ...object, status: { ...objectAt(object, "status"), ...fields } };
}

/** An object without some of its fields; the same where it has none of them. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
