import { isUtf8 } from "node:buffer";
import {
  decodeServerJson,
  InvalidJsonError,
  isJsonList,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
} from "#machinery";
import { type ByteRange, code, endOfValue, isStructure } from "./json-bytes.ts";

/** A part of the text that is not read. */
export interface LeftOut {
  /** The older object among whose members it stands. */
  readonly among: object;
  /** Where it stands, if it begins at this place, with one of the commas around it. */
  readonly at: (bytes: Buffer, from: number) => ByteRange | undefined;
}

/**
 * Reads JSON that says nearly what an older value says: what is the same is recognised where it stands and taken from
 * there, and only the rest is made anew. What comes out equals what any reader would have read. Undefined where the bytes
 * are not in the form that servers write, or not JSON at all.
 */
export function readOver(bytes: Buffer, older: unknown, leftOut?: LeftOut): Json | undefined {
  if (!isUtf8(bytes)) return undefined;
  const cursor = { bytes, leftOut, at: 0 };
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing of it is taken but what the bytes say too
    const value = valueOver(cursor, older as Json);
    return cursor.at === bytes.length ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** How far the bytes have been read. */
interface Cursor {
  readonly bytes: Buffer;
  readonly leftOut: LeftOut | undefined;
  at: number;
}

function valueOver(cursor: Cursor, older: Json | undefined): Json {
  if (typeof older === "string") return passesText(cursor, older) ? older : (plainText(cursor) ?? valueAnew(cursor));
  if (typeof older === "number") return wholeNumber(cursor) ?? valueAnew(cursor);
  if (typeof older === "boolean") return passesWord(cursor, `${older}`) ? older : valueAnew(cursor);
  if (typeof older !== "object" || older === null) return valueAnew(cursor);
  const first = cursor.bytes[cursor.at];
  if (isJsonList(older)) return first === code.openList ? listOver(cursor, older) : valueAnew(cursor);
  return first === code.openObject ? objectOver(cursor, older) : valueAnew(cursor);
}

/** Goes along with the older members as long as the keys are the same in the same order. */
function objectOver(cursor: Cursor, older: JsonObject): JsonObject {
  let draft: JsonObjectDraft | undefined;
  let count = 0;
  cursor.at += 1;
  for (const key in older) {
    const isHere = passesKey(cursor, key, count) || (passesLeftOut(cursor, older) && passesKey(cursor, key, count));
    if (!isHere) return furtherMembers(cursor, older, draft ?? firstMembers(older, count));
    const other = older[key];
    const part = valueOver(cursor, other);
    if (part !== other) draft ??= firstMembers(older, count);
    if (draft !== undefined) setMember(draft, key, part);
    count += 1;
  }
  if (passes(cursor, code.closeObject)) return draft ?? older;
  return furtherMembers(cursor, older, draft ?? firstMembers(older, count));
}

// Whoever compares each key with all keys of large maps has much to do.
const mostKeysTried = 32;

/** Members in any order, after those that have been read. */
function furtherMembers(cursor: Cursor, older: JsonObject, draft: JsonObjectDraft): JsonObject {
  const known = Object.keys(older);
  const tried = known.length <= mostKeysTried ? known : [];
  let isFirst = Object.keys(draft).length === 0;
  passesLeftOut(cursor, older);
  while (!passes(cursor, code.closeObject)) {
    if (!isFirst) expect(cursor, code.comma);
    isFirst = false;
    const key = tried.find((each) => passesText(cursor, each)) ?? valueAnew(cursor);
    if (typeof key !== "string") throw unexpected();
    expect(cursor, code.colon);
    setMember(draft, key, valueOver(cursor, Object.hasOwn(older, key) ? older[key] : undefined));
    passesLeftOut(cursor, older);
  }
  return draft;
}

function listOver(cursor: Cursor, older: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined;
  let index = 0;
  cursor.at += 1;
  while (!passes(cursor, code.closeList)) {
    if (index > 0) expect(cursor, code.comma);
    const other = older[index];
    const part = valueOver(cursor, other);
    if (part !== other) copy ??= older.slice(0, index);
    copy?.push(part);
    index += 1;
  }
  return copy ?? (index === older.length ? older : older.slice(0, index));
}

/** Passes a key and what stands around it if it is this one; stays where it was if it is another. */
function passesKey(cursor: Cursor, key: string, index: number): boolean {
  const { at } = cursor;
  if ((index === 0 || passes(cursor, code.comma)) && passesText(cursor, key) && passes(cursor, code.colon)) return true;
  cursor.at = at;
  return false;
}

// Characters that stand for themselves in a text, each under its own number; for all others, what no byte equals.
const plain = Uint16Array.from({ length: 0x80 }, (_, character) =>
  character < 0x20 || character === code.quotation || character === code.backslash ? 0xffff : character,
);

/** Passes a text if it is this one, and written as it is. */
function passesText(cursor: Cursor, text: string): boolean {
  const { bytes, at } = cursor;
  const start = at + 1;
  const end = start + text.length;
  if (bytes[at] !== code.quotation || bytes[end] !== code.quotation) return false;
  for (let index = 0; index < text.length; index += 1)
    if (plain[text.charCodeAt(index)] !== bytes[start + index]) return false;
  cursor.at = end + 1;
  return true;
}

/** Reads the most frequent form of a text. */
function plainText(cursor: Cursor): string | undefined {
  const { bytes, at } = cursor;
  if (bytes[at] !== code.quotation) return undefined;
  let end = at + 1;
  while (plain[bytes[end] ?? code.quotation] === bytes[end]) end += 1;
  if (bytes[end] !== code.quotation) return undefined;
  cursor.at = end + 1;
  return bytes.toString("latin1", at + 1, end);
}

/** Passes one of the words that JSON knows if it is this one. */
function passesWord(cursor: Cursor, word: string): boolean {
  const { bytes, at } = cursor;
  for (let index = 0; index < word.length; index += 1) if (word.charCodeAt(index) !== bytes[at + index]) return false;
  if (!isStructure(bytes[at + word.length])) return false;
  cursor.at = at + word.length;
  return true;
}

// As many digits as every number holds exactly.
const mostDigits = 15;

/** Reads the most frequent form of a number. */
function wholeNumber(cursor: Cursor): number | undefined {
  const { bytes, at: start } = cursor;
  let at = start;
  let value = 0;
  for (let here = bytes[at] ?? 0; here >= code.zero && here <= code.nine; here = bytes[at] ?? 0) {
    value = value * 10 + here - code.zero;
    at += 1;
  }
  const digits = at - start;
  const isPadded = digits > 1 && bytes[start] === code.zero;
  if (digits === 0 || digits > mostDigits || isPadded || !isStructure(bytes[at])) return undefined;
  cursor.at = at;
  return value;
}

/** Reads what stands here without anything to compare it with. */
function valueAnew(cursor: Cursor): Json {
  const { bytes, at } = cursor;
  const end = endOfValue(bytes, at);
  if (end === -1) throw unexpected();
  cursor.at = end;
  return decodeServerJson(bytes.toString("utf8", at, end));
}

/** Passes what is not read, if it stands here. */
function passesLeftOut(cursor: Cursor, older: JsonObject): boolean {
  const { bytes, leftOut, at } = cursor;
  const range = leftOut?.among === older ? leftOut.at(bytes, at) : undefined;
  if (range === undefined) return false;
  cursor.at = range.to;
  return true;
}

function passes(cursor: Cursor, byte: number): boolean {
  if (cursor.bytes[cursor.at] !== byte) return false;
  cursor.at += 1;
  return true;
}

function expect(cursor: Cursor, byte: number): void {
  if (!passes(cursor, byte)) throw unexpected();
}

function firstMembers(members: JsonObject, count: number): JsonObjectDraft {
  const draft: JsonObjectDraft = {};
  let left = count;
  for (const key in members) {
    if (left === 0) break;
    setMember(draft, key, members[key] ?? null);
    left -= 1;
  }
  return draft;
}

function setMember(draft: JsonObjectDraft, key: string, part: Json): void {
  // To assign to __proto__ would mean something else.
  if (key !== "__proto__") draft[key] = part;
  else Object.defineProperty(draft, key, { value: part, enumerable: true, configurable: true, writable: true });
}

function unexpected(): InvalidJsonError {
  return new InvalidJsonError("not in the form that servers write");
}
