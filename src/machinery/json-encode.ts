import { isJsonObject, type Json } from "./json.ts";

/** Compact JSON with the keys of objects in order, as Go writes a map; bigints come out as the integers they are. */
export function encodeJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${encodeJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}
