/**
 * What JSON can say. An integer that a number cannot hold exactly is a bigint, never a rounded number.
 */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object: no list, no null, no scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
