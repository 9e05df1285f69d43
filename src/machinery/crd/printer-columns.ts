import { InvalidTimestampError, parseInstant } from "#base";
import type { Json, JsonObject } from "../json.ts";
import { isNumeric } from "../schema/number.ts";
import type { PrinterColumn } from "./definition.ts";
import { compileJsonPath, printResults } from "./jsonpath.ts";
import { JsonPathError } from "./jsonpath-parse.ts";

/** What stands in a cell; null where there is nothing to show. */
export type Cell = string | number | boolean | null;

/** Fills in the printer columns of an object. `now` is in milliseconds since 1970. */
export type PrintCells = (object: JsonObject, now: number) => readonly Cell[];

/** Compiles printer columns. A column whose path cannot be read throws a JsonPathError. */
export function compileColumns(columns: readonly PrinterColumn[]): PrintCells {
  const readers = columns.map(({ type, jsonPath }) => {
    const path = compileJsonPath(`{${jsonPath}}`, { allowMissingKeys: true });
    return (object: JsonObject, now: number): Cell => {
      const found = firstResult(() => path.find(object));
      return found === undefined ? null : cellOf(type, found, now);
    };
  });
  return (object, now) => readers.map((read) => read(object, now));
}

/** How long ago something was, as tables show it: `42s`, `5m3s`, `3h20m`, `2d4h`, `400d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", { rest: seconds % 60, unit: "s" });
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, "h", { rest: minutes % 60, unit: "m" });
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return withRest(days, "d", { rest: hours % 24, unit: "h" });
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? withRest(years, "y", { rest: days % 365, unit: "d" }) : `${years}y`;
}

function withRest(count: number, unit: string, small: { readonly rest: number; readonly unit: string }): string {
  return small.rest === 0 ? `${count}${unit}` : `${count}${unit}${small.rest}${small.unit}`;
}

/** A path that does not fit the object leaves its cell empty. */
function firstResult(find: () => readonly (readonly Json[])[]): Json | undefined {
  try {
    return find()[0]?.[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(type: string, value: Json, now: number): Cell {
  switch (type) {
    case "string":
      return value === null ? "<no value>" : printResults([value]);
    case "integer":
      return isNumeric(value) ? Math.trunc(Number(value)) : null;
    case "number":
      return isNumeric(value) ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function ageOf(text: string, now: number): string {
  if (text === "" || text === "null") return "<unknown>";
  try {
    return humanDuration(now - parseInstant(text));
  } catch (error) {
    if (error instanceof InvalidTimestampError) return "<invalid>";
    throw error;
  }
}
