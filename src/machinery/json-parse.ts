import { CapstanError, quote } from "#base";
import { type Json, type JsonObjectDraft, setMember } from "./json.ts";

/** A text that is not JSON, or bytes that are no text. */
export class InvalidJsonError extends CapstanError {
  readonly code = "INVALID_JSON";
}

/** A value from the wire, and what a reader that keeps the last of two equal keys would hide. */
export interface DecodedJson {
  readonly value: Json;
  /** Where a key stood more than once, such as `spec.list[0].name`, in the order of the text. */
  readonly duplicateFields: readonly string[];
}

/** Reads JSON character by character: for what the platform's parser cannot tell, and for its reasons to refuse. */
export function parseJsonExactly(text: string): DecodedJson {
  const reader = new JsonReader(text);
  const value = reader.readValue("");
  reader.expectEnd();
  return { value, duplicateFields: [...reader.duplicates] };
}

/** Reads the first JSON value of a text, whatever follows it. */
export function parseFirstJson(text: string): Json {
  return new JsonReader(text).readValue("");
}

/** An integer as a number where that is exact, as a bigint otherwise; undefined where it is beyond all numbers. */
export function exactNumber(text: string): number | bigint | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

// As many as kube-apiserver names.
const mostDuplicates = 100;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blank = /[ \t\r\n]*/y;
const literals: Readonly<Record<string, { readonly word: string; readonly value: boolean | null }>> = {
  t: { word: "true", value: true },
  f: { word: "false", value: false },
  n: { word: "null", value: null },
};

class JsonReader {
  readonly #text: string;
  #at = 0;
  readonly duplicates = new Set<string>();
  #noted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(path: string): Json {
    const first = this.#next();
    if (first === "{") return this.#readObject(path);
    if (first === "[") return this.#readList(path);
    if (first === '"') return this.#readString();
    if (first === "-" || (first >= "0" && first <= "9")) return this.#readNumber();
    const literal = literals[first];
    if (literal === undefined) throw this.#unexpected("looking for beginning of value");
    return this.#readLiteral(literal);
  }

  expectEnd(): void {
    if (this.#next() !== "") throw this.#unexpected("after top-level value");
  }

  #readObject(path: string): Json {
    const object: JsonObjectDraft = {};
    const repeated = new Set<string>();
    this.#at++;
    if (this.#take("}")) return object;
    do {
      if (this.#next() !== '"') throw this.#unexpected("looking for beginning of object key string");
      const key = this.#readString();
      if (!this.#take(":")) throw this.#unexpected("after object key");
      const inside = path === "" ? key : `${path}.${key}`;
      const isRepeated = Object.hasOwn(object, key);
      const value = this.readValue(inside);
      if (isRepeated && !repeated.has(key)) this.#noteDuplicate(inside);
      if (isRepeated) repeated.add(key);
      setMember(object, key, value);
    } while (this.#take(","));
    if (!this.#take("}")) throw this.#unexpected("after object key:value pair");
    return object;
  }

  /** Writing out a path takes as long as the path is, so not more are written than anybody will read. */
  #noteDuplicate(path: string): void {
    if (this.#noted === mostDuplicates) return;
    this.#noted++;
    this.duplicates.add(path);
  }

  #readList(path: string): Json {
    const list: Json[] = [];
    this.#at++;
    if (this.#take("]")) return list;
    do list.push(this.readValue(`${path}[${list.length}]`));
    while (this.#take(","));
    if (!this.#take("]")) throw this.#unexpected("after array element");
    return list;
  }

  #readString(): string {
    const start = this.#at++;
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') break;
      if (character < " ") throw this.#unexpected("in string literal");
      this.#at++;
      if (character === "\\") this.#skipEscape();
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was just read is a string literal
    return JSON.parse(this.#text.slice(start, ++this.#at)) as string;
  }

  #skipEscape(): void {
    const kind = this.#text.charAt(this.#at);
    if (kind === "" || !'"\\/bfnrtu'.includes(kind)) throw this.#unexpected("in string escape code");
    this.#at++;
    const digits = kind === "u" ? 4 : 0;
    for (let digit = 0; digit < digits; digit++, this.#at++) {
      const isHexadecimal = /^[\dA-Fa-f]$/.test(this.#text.charAt(this.#at));
      if (!isHexadecimal) throw this.#unexpected("in \\u hexadecimal character escape");
    }
  }

  #readNumber(): number | bigint {
    const text = this.#match(number);
    const following = this.#text.charAt(this.#at);
    if (text === "") throw this.#unexpectedAt(this.#at + 1, "in numeric literal");
    if (following === ".") throw this.#unexpectedAt(this.#at + 1, "after decimal point in numeric literal");
    if (following === "e" || following === "E") {
      const hasSign = /^[+-]$/.test(this.#text.charAt(this.#at + 1));
      throw this.#unexpectedAt(this.#at + (hasSign ? 2 : 1), "in exponent of numeric literal");
    }
    const value = exactNumber(text);
    if (value === undefined) throw new InvalidJsonError(`number ${shortened(text)} is out of range`);
    return value;
  }

  #readLiteral({ word, value }: { readonly word: string; readonly value: boolean | null }): boolean | null {
    for (const expected of word) {
      if (this.#text.charAt(this.#at) !== expected)
        throw this.#unexpected(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
    return value;
  }

  /** Passes over blanks; the character after them, empty at the end. */
  #next(): string {
    this.#match(blank);
    return this.#text.charAt(this.#at);
  }

  #take(character: string): boolean {
    const isNext = this.#next() === character;
    if (isNext) this.#at++;
    return isNext;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ""] = pattern.exec(this.#text) ?? [];
    this.#at += text.length;
    return text;
  }

  #unexpected(where: string): InvalidJsonError {
    return this.#unexpectedAt(this.#at, where);
  }

  #unexpectedAt(at: number, where: string): InvalidJsonError {
    if (at >= this.#text.length) return new InvalidJsonError("unexpected end of JSON input");
    return new InvalidJsonError(`invalid character ${quoteByte(this.#text.slice(at, at + 2))} ${where}`);
  }
}

/** Go names the first byte of what it does not expect, whatever character that byte begins. */
function quoteByte(text: string): string {
  const first = String.fromCharCode(Buffer.from(text)[0] ?? 0);
  if (first === "'") return "'\\''";
  return first === '"' ? "'\"'" : `'${quote(first).slice(1, -1)}'`;
}

function shortened(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
