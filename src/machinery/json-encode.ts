import { deepestJson, isJsonList, type Json, type JsonObject, JsonTooDeepError } from "./json.ts";

// What needs no escape and no look at surrogate pairs.
const plain = /^[ !#-[\]-~]*$/;

/** Compact JSON with the keys of objects in order, as Go writes a map; bigints come out as the integers they are. */
export function encodeJson(value: Json): string {
  return isInOrder(value, 0) ? JSON.stringify(value) : encode(value);
}

/** True where the platform's own writer gives the same text. */
function isInOrder(value: Json | undefined, depth: number): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (depth === deepestJson) throw new JsonTooDeepError();
  if (isJsonList(value)) return value.every((item) => isInOrder(item, depth + 1));
  let last = "";
  for (const key of Object.keys(value)) {
    if (key < last || !isInOrder(value[key], depth + 1)) return false;
    last = key;
  }
  return true;
}

function encode(value: Json | undefined, depth = 0): string {
  if (typeof value === "string") return quoteJson(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (depth === deepestJson) throw new JsonTooDeepError();
  return isJsonList(value) ? encodeList(value, depth + 1) : encodeObject(value, depth + 1);
}

function encodeList(list: readonly Json[], depth: number): string {
  let text = "";
  for (const item of list) text += `${text === "" ? "" : ","}${encode(item, depth)}`;
  return `[${text}]`;
}

function encodeObject(object: JsonObject, depth: number): string {
  let text = "";
  for (const key of Object.keys(object).toSorted()) {
    const value = object[key];
    if (value !== undefined) text += `${text === "" ? "" : ","}${quoteJson(key)}:${encode(value, depth)}`;
  }
  return `{${text}}`;
}

function quoteJson(text: string): string {
  return text.length < 100 && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
