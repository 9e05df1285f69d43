import { foldedText, quotedText } from "./block-yaml-text.ts";
import type { Json, JsonObjectDraft } from "./json.ts";
import { plainScalar } from "./yaml-schema.ts";

// Also tabs, carriage returns and line breaks that are none everywhere: nobody who writes YAML by program leaves them bare.
const oddCharacter = /[^\n\x20-\x7E\xA0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Lines that mean more than the end of a document. */
const oddMarker = /^(?:---.|\.\.\.|%)/m;
/** Whatever is deeper is left to a reader that counts levels. */
const deepestColumn = 200;

/**
 * Reads YAML as programs write it, several times faster than a reader of all YAML can: blocks, texts that may go on over
 * lines, `{}` and `[]`. Undefined where anything else is in the text, right or wrong: nothing can be said about it here.
 */
export function readBlockYaml(text: string): readonly Json[] | undefined {
  if (!text.endsWith("\n") || oddCharacter.test(text) || oddMarker.test(text)) return undefined;
  const documents: Json[] = [];
  const keys = new Map<string, string | undefined>();
  const chunks = text.split(/^---\n/m);
  if (chunks[0]?.trim() === "") chunks.shift();
  for (const chunk of chunks) {
    const document = new BlockReader(chunk, keys).readDocument();
    if (document === undefined) return undefined;
    documents.push(document);
  }
  return documents;
}

/** Reads one document. Everything that reads gives undefined where the text is not regular, and is not used any more. */
class BlockReader {
  readonly #text: string;
  /** What keys are, as they are written: there are few, and they come again and again. */
  readonly #keys: Map<string, string | undefined>;
  /** Where the line at hand begins to say something, in which column, and where it ends; column -1 after the last one. */
  #at = 0;
  #column = 0;
  #end = -1;

  constructor(text: string, keys: Map<string, string | undefined>) {
    this.#text = text;
    this.#keys = keys;
    this.#nextLine();
  }

  readDocument(): Json | undefined {
    if (this.#column === -1) return null;
    const value = this.#readBlock();
    return this.#column === -1 ? value : undefined;
  }

  /** A list or a mapping that begins where the reader stands. */
  #readBlock(): Json | undefined {
    if (this.#column > deepestColumn) return undefined;
    return this.#isAtItem() ? this.#readList(this.#column) : this.#readMapping(this.#column);
  }

  #readMapping(column: number): Json | undefined {
    const object: JsonObjectDraft = {};
    while (this.#column === column) {
      const key = this.#readKey();
      // A key that is there already, or that every object has.
      if (key === undefined || object[key] !== undefined) return undefined;
      const value = this.#readValueOfKey(column);
      if (value === undefined) return undefined;
      object[key] = value;
    }
    return this.#column > column ? undefined : object;
  }

  #readList(column: number): Json | undefined {
    const list: Json[] = [];
    while (this.#column === column && this.#isAtItem()) {
      const value = this.#readItem(column);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return this.#column > column ? undefined : list;
  }

  #readItem(column: number): Json | undefined {
    if (this.#at + 1 === this.#end) {
      this.#nextLine();
      return this.#column > column ? this.#readBlock() : null;
    }
    this.#skip(1);
    return this.#isAtItem() || this.#keyEnd() !== -1 ? this.#readBlock() : this.#readScalar(column);
  }

  #readValueOfKey(column: number): Json | undefined {
    if (this.#at < this.#end) return this.#readScalar(column);
    this.#nextLine();
    if (this.#column > column) return this.#readBlock();
    // A list may stand in the column of its key.
    return this.#column === column && this.#isAtItem() ? this.#readList(column) : null;
  }

  #isAtItem(): boolean {
    const text = this.#text;
    if (text[this.#at] !== "-") return false;
    const next = text[this.#at + 1];
    return next === " " || next === "\n";
  }

  /** Where the colon after the key is; -1 where the line does not begin with a key. */
  #keyEnd(): number {
    const text = this.#text;
    const end = this.#end;
    const quote = text[this.#at];
    const isQuoted = quote === '"' || quote === "'";
    let colon = isQuoted ? text.slice(this.#at, end).indexOf(quote, 1) + 1 + this.#at : this.#at;
    if (!isQuoted) while (colon < end && !isKeyEnd(text, colon, end)) colon++;
    return colon > this.#at && colon < end && isKeyEnd(text, colon, end) ? colon : -1;
  }

  #readKey(): string | undefined {
    const end = this.#keyEnd();
    if (end === -1) return undefined;
    const written = this.#text.slice(this.#at, end);
    this.#skip(end + 1 - this.#at);
    if (this.#keys.has(written)) return this.#keys.get(written);
    const key = keyOf(written);
    this.#keys.set(written, key);
    return key;
  }

  /** Goes on in the line, past the spaces that follow. */
  #skip(characters: number): void {
    let at = this.#at + characters;
    while (at < this.#end && this.#text[at] === " ") at++;
    this.#column += at - this.#at;
    this.#at = at;
  }

  /** A value that begins in the line at hand, below something in a column to the left. */
  #readScalar(parent: number): Json | undefined {
    switch (this.#text[this.#at]) {
      case '"':
      case "'":
        return this.#readQuoted(parent);
      case "|":
        return this.#readLiteral(parent);
      case "{":
      case "[":
        return this.#readEmpty();
      default:
        return this.#readPlain(parent);
    }
  }

  #readEmpty(): Json | undefined {
    const written = this.#text.slice(this.#at, this.#end);
    this.#nextLine();
    return written === "{}" ? {} : written === "[]" ? [] : undefined;
  }

  #readPlain(parent: number): Json | undefined {
    const first = this.#text.slice(this.#at, this.#end).trimEnd();
    if (!isPlain(first)) return undefined;
    const begin = this.#end + 1;
    this.#nextLine();
    if (this.#column <= parent) return plainScalar(first);
    let end = begin;
    for (; this.#column > parent; this.#nextLine()) {
      end = this.#end;
      if (!goesOn(this.#text.slice(this.#at, end))) return undefined;
    }
    return foldedText(first, this.#text.slice(begin, end).trimEnd());
  }

  #readQuoted(parent: number): Json | undefined {
    const begin = this.#at;
    const close = closingQuote(this.#text, begin);
    if (close === -1) return undefined;
    while (this.#end < close) {
      this.#nextLine();
      if (this.#column <= parent || this.#column === -1) return undefined;
    }
    const isLast = this.#text.slice(close + 1, this.#end).trim() === "";
    this.#nextLine();
    return isLast ? quotedText(this.#text.slice(begin, close + 1)) : undefined;
  }

  /** Lines that stand as they are, below `|`. */
  #readLiteral(parent: number): Json | undefined {
    const header = this.#text.slice(this.#at, this.#end);
    if (header !== "|" && header !== "|-") return undefined;
    let begin = this.#end + 1;
    this.#nextLine();
    const column = this.#column;
    if (column <= parent || this.#at - column !== begin) return undefined;
    const lines: string[] = [];
    for (; this.#column >= column; this.#nextLine()) {
      const start = this.#at - this.#column;
      if (!isNewlines(this.#text, begin, start)) return undefined;
      for (let blank = begin; blank < start; blank++) lines.push("");
      lines.push(this.#text.slice(start + column, this.#end));
      begin = this.#end + 1;
    }
    const isOver = this.#column <= parent && isNewlines(this.#text, begin, this.#at - Math.max(this.#column, 0));
    if (!isOver) return undefined;
    return header === "|" ? `${lines.join("\n")}\n` : lines.join("\n");
  }

  /** The next line that is not blank. */
  #nextLine(): void {
    const text = this.#text;
    let at = this.#end + 1;
    let begin = at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === newline) begin = at + 1;
      else if (code !== space) break;
    }
    this.#at = at;
    this.#column = at < text.length ? at - begin : -1;
    this.#end = at < text.length ? text.indexOf("\n", at) : at;
  }
}

const newline = 10;
const space = 32;
const colonSign = 58;

/** Whether lines are empty; those with spaces may be more than that. */
function isNewlines(text: string, begin: number, end: number): boolean {
  for (let index = begin; index < end; index++) if (text.charCodeAt(index) !== newline) return false;
  return true;
}

/** Whether a colon stands here that ends a key. */
function isKeyEnd(text: string, at: number, end: number): boolean {
  return text.charCodeAt(at) === colonSign && (at + 1 === end || text.charCodeAt(at + 1) === space);
}

/** What a key says; undefined for those that are no texts, need care, or are no keys at all. */
function keyOf(written: string): string | undefined {
  if (written.startsWith('"') || written.startsWith("'"))
    return written.includes("\\") ? undefined : written.slice(1, -1);
  const key = isPlain(written) ? plainScalar(written) : undefined;
  return typeof key === "string" && key !== "__proto__" && !written.endsWith(" ") ? key : undefined;
}

/** Where the quotation that begins here ends; a quote inside is doubled or escaped, each in its kind. */
function closingQuote(text: string, begin: number): number {
  const quote = text[begin] ?? "";
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at;
      at++;
    } else if (quote === '"' && text[at] === "\\") at++;
  }
  return -1;
}

/** Whether a text without quotes can begin so, and ends no sooner than its line. */
function isPlain(text: string): boolean {
  const first = text[0] ?? "";
  if ("?,[]{}#&*!|>'\"%@`".includes(first)) return false;
  if ((first === "-" || first === ":") && (text[1] ?? " ") === " ") return false;
  return goesOn(text);
}

/** Whether a line of a text without quotes is text to its end. */
function goesOn(line: string): boolean {
  return !line.includes(": ") && !line.includes(" #") && !line.endsWith(":") && !line.startsWith("#");
}
