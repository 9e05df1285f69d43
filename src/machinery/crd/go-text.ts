import { bracketed } from "#base";
import { encodeJson } from "../json-encode.ts";
import { isJsonList, isJsonObject, type Json } from "../json.ts";
import { formatNumber, isInt64, isNumeric } from "../schema/number.ts";

/** A value as Go prints it with `%v`: maps in the order of their keys, lists in brackets. */
export function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (isNumeric(value)) return formatNumber(value);
  if (isJsonList(value)) return bracketed(value.map(goText));
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value).toSorted();
  return `map${bracketed(members.map((name) => `${name}:${goText(value[name] ?? null)}`))}`;
}

/** A value as Go writes it as JSON: harmless inside of HTML. */
export function goJson(value: Json): string {
  return encodeJson(value).replaceAll(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** The name of the Go type that holds a value. */
export function goTypeName(value: Json): string {
  if (value === null) return "<nil>";
  if (isNumeric(value)) return isInt64(value) ? "int64" : "float64";
  if (isJsonList(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : "string";
}
