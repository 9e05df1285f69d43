import { quote } from "#base";
import { isJsonObject, type Json } from "../json.ts";
import { encodeJson } from "../json-encode.ts";
import { compareText } from "./path-element.ts";

/** A value as Go prints it with `%v`: `map[a:[1 b <nil>]]`. */
export function goPlain(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPlain).join(" ")}]`;
  if (!isJsonObject(value)) return typeof value === "string" ? value : encodeJson(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${goPlain(value[key] ?? null)}`)
    .join(" ")}]`;
}

/** A value as Go prints it with `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return encodeJson(value);
  return `map[string]interface {}{${sortedKeys(value)
    .map((key) => `${quote(key)}:${goSyntax(value[key] ?? null)}`)
    .join(", ")}}`;
}

/** The Go type of a value, as `%T` prints it. */
export function goType(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Number.isInteger(Number(value)) ? "int64" : "float64";
}

function sortedKeys(value: { readonly [key: string]: Json }): readonly string[] {
  return Object.keys(value).toSorted(compareText);
}
