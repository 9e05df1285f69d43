import { quote } from "#base";
import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { formatDouble } from "../values/number-text.ts";
import { formatSeconds, formatTimestamp } from "../values/time.ts";
import { typeName } from "../values/type-of.ts";
import { DurationValue, Failure, type Result, TimestampValue, TypeValue, Uint, type Value } from "../values/value.ts";
import { spendSteps } from "../values/work.ts";
import { compareTexts } from "../values/compare.ts";
import { complaints, formatClauses } from "./format-clause.ts";
import { fixed, grouped, scientific } from "./format-number.ts";

// Printing an item takes about as long as so many rounds of a loop.
const stepsPerItem = 20;

/** `'%s has %d'.format([…])`. */
export function formatText(template: string, values: ListValue): Result {
  const clauses = formatClauses(template);
  let text = "";
  let index = 0;
  for (const clause of clauses) {
    if (clause.kind === "text") {
      text += clause.text;
      continue;
    }
    if (index >= values.size) return new Failure(`index ${index} out of range`);
    const value = values.at(index);
    if (clause.kind === "problem") return new Failure(clause.problem);
    if (value instanceof Failure) return value;
    const formatted = formatValue(value, clause.verb, clause.precision);
    if (formatted instanceof Failure) return new Failure(`error during formatting: ${formatted.message}`);
    spendSteps(formatted.length);
    text += formatted;
    index += 1;
  }
  return text;
}

function formatValue(value: Value, verb: string, precision: number | undefined): string | Failure {
  switch (verb) {
    case "s":
      return plain(value);
    case "d":
      return decimal(value);
    case "f":
      return floating(value, "fixed", precision ?? 6);
    case "e":
      return floating(value, "scientific", precision ?? 6);
    case "b":
      return binary(value);
    case "o":
      return octal(value);
    default:
      return hexadecimal(value, verb === "X");
  }
}

function plain(value: Value): string | Failure {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof DurationValue) return formatSeconds(value);
  if (value instanceof TimestampValue) return formatTimestamp(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue) return listText(value);
  if (value instanceof MapValue) return mapText(value);
  return complain("s", value);
}

function bytesText(value: Uint8Array): string | Failure {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new Failure('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
  }
}

function listText(list: ListValue): string | Failure {
  const parts: string[] = [];
  spendSteps(list.size * stepsPerItem);
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    const text = item instanceof Failure ? item : inside(item);
    if (text instanceof Failure) return text;
    parts.push(text);
  }
  return `[${parts.join(", ")}]`;
}

function mapText(map: MapValue): string | Failure {
  const pairs: { readonly key: string; readonly value: string }[] = [];
  spendSteps(map.size * stepsPerItem);
  for (const key of map.keys()) {
    if (typeof key === "number") return new Failure(`no formatting function for map key of type ${typeName(key)}`);
    const found = map.find(key) ?? null;
    const [keyText, valueText] = [inside(key), found instanceof Failure ? found : inside(found)];
    if (keyText instanceof Failure) return keyText;
    if (valueText instanceof Failure) return valueText;
    pairs.push({ key: keyText, value: valueText });
  }
  const sorted = pairs.toSorted((a, b) => compareTexts(a.key, b.key));
  return `{${sorted.map(({ key, value }) => `${key}:${value}`).join(", ")}}`;
}

/** A value inside a list or map reads as the literal that would make it. */
function inside(value: Value): string | Failure {
  if (value instanceof TimestampValue) return `timestamp(${quote(formatTimestamp(value))})`;
  if (value instanceof DurationValue) return `duration(${quote(formatSeconds(value))})`;
  if (typeof value === "number") {
    const text = Number.isFinite(value) ? fixed(value, 6) : formatDouble(value);
    return Number.isFinite(value) ? text : quote(text);
  }
  const text = plain(value);
  if (text instanceof Failure) return new Failure(`no formatting function for ${typeName(value)}`);
  if (typeof value === "string") return quote(text);
  return value instanceof Uint8Array ? `b${quote(text)}` : text;
}

function decimal(value: Value): string | Failure {
  return integerOf(value)?.toString() ?? complain("d", value);
}

const named: ReadonlyMap<Value, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function floating(value: Value, form: "fixed" | "scientific", precision: number): string | Failure {
  const number = typeof value === "number" ? value : named.get(value);
  if (number === undefined) return complain(form === "fixed" ? "f" : "e", value);
  return form === "fixed" ? grouped(number, precision) : scientific(number, precision);
}

function binary(value: Value): string | Failure {
  if (typeof value === "boolean") return value ? "1" : "0";
  return integerOf(value)?.toString(2) ?? complain("b", value);
}

function octal(value: Value): string | Failure {
  return integerOf(value)?.toString(8) ?? complain("o", value);
}

function hexadecimal(value: Value, upper: boolean): string | Failure {
  const text = hexText(value);
  if (text === undefined) return complain("x", value);
  return upper ? text.toUpperCase() : text;
}

function hexText(value: Value): string | undefined {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return integerOf(value)?.toString(16);
}

function integerOf(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  return value instanceof Uint ? value.value : undefined;
}

function complain(verb: string, value: Value): Failure {
  return new Failure(`${complaints[verb] ?? ""}${typeName(value)}`);
}
