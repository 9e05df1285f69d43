import type { SourceProblem } from "./source.ts";

/** What a token is: a punctuation mark or keyword as itself, or one of the classes of the grammar. */
export interface Token {
  readonly kind: string;
  readonly text: string;
  readonly offset: number;
}

/** Marks the end of an expression. */
export const endOfInput = "<EOF>";

const blank = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const float = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedWord = /`[A-Za-z0-9_.\-/ ]+`/y;
const punctuation = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const stringPrefix = /[bB]?[rR]?(?="|')/y;
const escape = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
// As much of an escape as there is before the character that spoils it.
const startOfEscape = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;
const keywords: ReadonlySet<string> = new Set(["in", "true", "false", "null"]);
// What the first character of a token tells, so that few of the patterns above are tried.
const blankStart: ReadonlySet<string> = new Set("\t \r\n\f/");
const stringStart: ReadonlySet<string> = new Set("bBrR\"'");
const letters: ReadonlySet<string> = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
const numberStart: ReadonlySet<string> = new Set("0123456789.");

/** Splits an expression into tokens; what is no token is a problem and left out. */
export function tokenize(source: string): {
  readonly tokens: readonly Token[];
  readonly problems: readonly SourceProblem[];
} {
  const tokens: Token[] = [];
  const problems: SourceProblem[] = [];
  let offset = 0;
  for (;;) {
    if (blankStart.has(source[offset] ?? "")) offset = matchEnd(blank, source, offset) ?? offset;
    if (offset >= source.length) break;
    const scanned = scan(source, offset);
    if (scanned.kind === undefined) {
      const text = source.slice(offset, scanned.end);
      problems.push({ offset, message: `Syntax error: token recognition error at: '${text}'` });
    } else {
      tokens.push({ kind: scanned.kind, text: source.slice(offset, scanned.end), offset });
    }
    offset = scanned.end;
  }
  tokens.push({ kind: endOfInput, text: endOfInput, offset: source.length });
  return { tokens, problems };
}

interface Scanned {
  /** None where the text up to the end is no token. */
  readonly kind: string | undefined;
  readonly end: number;
}

function scan(source: string, offset: number): Scanned {
  const first = source[offset] ?? "";
  const string = stringStart.has(first) ? scanString(source, offset) : undefined;
  if (string !== undefined) return string;
  if (letters.has(first)) return scanWord(source, offset);
  const floatEnd = numberStart.has(first) ? matchEnd(float, source, offset) : undefined;
  if (floatEnd !== undefined) return { kind: "NUM_FLOAT", end: floatEnd };
  const markEnd = matchEnd(punctuation, source, offset);
  if (markEnd !== undefined) return { kind: source.slice(offset, markEnd), end: markEnd };
  const integerEnd = matchEnd(integer, source, offset);
  if (integerEnd !== undefined) {
    const isUnsigned = /[uU]/.test(source[integerEnd - 1] ?? "");
    return { kind: isUnsigned ? "NUM_UINT" : "NUM_INT", end: integerEnd };
  }
  const escapedEnd = matchEnd(escapedWord, source, offset);
  if (escapedEnd !== undefined) return { kind: "ESC_IDENTIFIER", end: escapedEnd };
  return { kind: undefined, end: unknownEnd(source, offset) };
}

function scanWord(source: string, offset: number): Scanned {
  const end = matchEnd(word, source, offset) ?? offset + 1;
  const text = source.slice(offset, end);
  return { kind: keywords.has(text) ? text : "IDENTIFIER", end };
}

/** The end of what cannot be a token: the first character that no token allows is part of it. */
function unknownEnd(source: string, offset: number): number {
  const first = source[offset];
  if (first === "`") return Math.min(source.length, (matchEnd(/`[A-Za-z0-9_.\-/ ]*/y, source, offset) ?? offset) + 1);
  const startsPair = first === "&" || first === "|" || first === "=";
  const length = startsPair ? 2 : String.fromCodePoint(source.codePointAt(offset) ?? 0).length;
  return Math.min(source.length, offset + length);
}

function scanString(source: string, offset: number): Scanned | undefined {
  const start = matchEnd(stringPrefix, source, offset);
  if (start === undefined) return undefined;
  const prefix = source.slice(offset, start).toLowerCase();
  const kind = prefix.startsWith("b") ? "BYTES" : "STRING";
  const raw = prefix.endsWith("r");
  const mark = source[start] ?? "";
  const triple = mark.repeat(3);
  if (source.startsWith(triple, start)) {
    const end = scanBody(source, start + 3, { mark: triple, raw });
    if (end.closed) return { kind, end: end.at };
  }
  const end = scanBody(source, start + 1, { mark, raw });
  if (end.closed) return { kind, end: end.at };
  // Letters before the quote are a word of their own where no string follows.
  if (prefix !== "") return { kind: "IDENTIFIER", end: start };
  return { kind: undefined, end: Math.min(source.length, end.at + 1) };
}

/** Runs to the closing mark, or to the character that no string allows. */
function scanBody(
  source: string,
  start: number,
  { mark, raw }: { readonly mark: string; readonly raw: boolean },
): { readonly closed: boolean; readonly at: number } {
  const oneLine = mark.length === 1;
  let at = start;
  while (at < source.length) {
    if (source.startsWith(mark, at)) return { closed: true, at: at + mark.length };
    const character = source[at];
    if (oneLine && (character === "\n" || character === "\r")) break;
    if (character === "\\" && !raw) {
      const end = matchEnd(escape, source, at);
      if (end === undefined) return { closed: false, at: matchEnd(startOfEscape, source, at) ?? at };
      at = end;
    } else at += 1;
  }
  return { closed: false, at };
}

function matchEnd(pattern: RegExp, source: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}
