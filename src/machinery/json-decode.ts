import { isUtf8 } from "node:buffer";
import { deepestJson, isJsonList, type Json, JsonTooDeepError } from "./json.ts";
import { type DecodedJson, InvalidJsonError, parseFirstJson, parseJsonExactly } from "./json-parse.ts";

/** Reads JSON as it comes over the wire: integers stay exact, equal keys are reported, `__proto__` is plain data. */
export function decodeJson(source: string | Uint8Array): DecodedJson {
  const text = typeof source === "string" ? source : textOf(source);
  const seen = survey(text);
  if (seen.deepest > deepestJson) throw new JsonTooDeepError();
  if (seen.hasLongInteger) return parseJsonExactly(text);
  let value: Json;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's parser returns JSON by definition
    value = JSON.parse(text) as Json;
  } catch {
    // Once more, for a message that says what is wrong in the same words in every version of the platform.
    return parseJsonExactly(text);
  }
  // Fewer keys than colons: two of them were equal. A number beyond all numbers counts as many.
  return keysIn(value) === seen.colons ? { value, duplicateFields: [] } : parseJsonExactly(text);
}

/** Reads the first JSON value of a body and ignores what follows, as readers of streams do. */
export function decodeFirstJson(source: Uint8Array): Json {
  try {
    return decodeJson(source).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    return parseFirstJson(textOf(source));
  }
}

/**
 * Reads JSON that a server has written, who repeats no key: as exact, and quicker. That it is not too deep is left to
 * whoever walks it next.
 */
export function decodeServerJson(source: string | Uint8Array): Json {
  const text = typeof source === "string" ? source : textOf(source);
  if (hasManyDigits(text)) return decodeJson(text).value;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's parser returns JSON by definition
    return JSON.parse(text) as Json;
  } catch {
    return parseJsonExactly(text).value;
  }
}

const digitsBeyondNumbers = 16;

/** True where so many digits in a row stand somewhere, in a number or not, that a number would not hold them. */
function hasManyDigits(text: string): boolean {
  // A row of digits covers one of the places that are as far from each other as it is long.
  for (let at = digitsBeyondNumbers - 1; at < text.length; at += digitsBeyondNumbers) {
    if (isDigit(text, at) && rowAround(text, at) >= digitsBeyondNumbers) return true;
  }
  return false;
}

function rowAround(text: string, at: number): number {
  let [start, end] = [at, at + 1];
  while (isDigit(text, start - 1)) start -= 1;
  while (isDigit(text, end)) end += 1;
  return end - start;
}

function isDigit(text: string, at: number): boolean {
  const here = text.charCodeAt(at);
  return here >= code.zero && here <= code.nine;
}

interface Survey {
  /** As many as there are members of objects, whether their keys differ or not. */
  readonly colons: number;
  readonly deepest: number;
  readonly hasLongInteger: boolean;
}

const code = { quotation: 0x22, zero: 0x30, nine: 0x39, colon: 0x3a, backslash: 0x5c } as const;
const bracket = { openList: 0x5b, closeList: 0x5d, openObject: 0x7b, closeObject: 0x7d } as const;

/** One quick look at what stands between the strings, which decides whether the platform's parser will do. */
function survey(text: string): Survey {
  let colons = 0;
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let hasLongInteger = false;
  for (let at = 0; at < text.length; at++) {
    const here = text.charCodeAt(at);
    if (here >= code.zero && here <= code.nine) {
      if (++digits === 16) hasLongInteger = true;
      continue;
    }
    digits = 0;
    if (here === code.quotation) at = endOfString(text, at);
    else if (here === code.colon) colons++;
    else if (here === bracket.openObject || here === bracket.openList) deepest = Math.max(deepest, ++depth);
    else if (here === bracket.closeObject || here === bracket.closeList) depth--;
  }
  return { colons, deepest, hasLongInteger };
}

/** Where the string that opens here closes; the end of the text if it does not. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === code.backslash) backslashes++;
  return backslashes % 2 === 1;
}

function keysIn(value: Json): number {
  if (typeof value !== "object" || value === null)
    return typeof value === "number" && !Number.isFinite(value) ? Infinity : 0;
  let count = 0;
  if (isJsonList(value)) {
    for (const item of value) count += keysIn(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + keysIn(value[key] ?? null);
  return count;
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new InvalidJsonError("invalid UTF-8");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
