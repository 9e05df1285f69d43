import { type FunctionDeclaration, listOf, method, overload } from "../check/declaration.ts";
import { intType, listType, stringType } from "../check/type.ts";
import { PlainList, type ListValue } from "../values/list.ts";
import { characterAt, characters, codePoints } from "../values/text.ts";
import { typeName } from "../values/type-of.ts";
import { Failure, type Result } from "../values/value.ts";
import { formatText } from "./format-text.ts";
import { anything, int, listOfSome, string } from "./kinds.ts";

/** Functions on texts; positions count code points. */
export const strings: readonly FunctionDeclaration[] = [
  {
    name: "charAt",
    overloads: [method({ id: "string_char_at_int", parameters: [string, int], result: stringType, run: charAt })],
  },
  {
    name: "indexOf",
    overloads: [
      method({
        id: "string_index_of_string",
        parameters: [string, string],
        result: intType,
        run: (text, part) => indexOf(text, part, 0n),
      }),
      method({ id: "string_index_of_string_int", parameters: [string, string, int], result: intType, run: indexOf }),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      method({
        id: "string_last_index_of_string",
        parameters: [string, string],
        result: intType,
        run: lastIndexFromEnd,
      }),
      method({
        id: "string_last_index_of_string_int",
        parameters: [string, string, int],
        result: intType,
        run: lastIndexOf,
      }),
    ],
  },
  {
    name: "lowerAscii",
    overloads: [
      method({
        id: "string_lower_ascii",
        parameters: [string],
        result: stringType,
        run: (text) => text.replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase()),
      }),
    ],
  },
  {
    name: "upperAscii",
    overloads: [
      method({
        id: "string_upper_ascii",
        parameters: [string],
        result: stringType,
        run: (text) => text.replaceAll(/[a-z]+/g, (lower) => lower.toUpperCase()),
      }),
    ],
  },
  {
    name: "replace",
    overloads: [
      method({
        id: "string_replace_string_string",
        parameters: [string, string, string],
        result: stringType,
        run: (text, from, to) => replace(text, from, to, -1n),
      }),
      method({
        id: "string_replace_string_string_int",
        parameters: [string, string, string, int],
        result: stringType,
        run: replace,
      }),
    ],
  },
  {
    name: "split",
    overloads: [
      method({
        id: "string_split_string",
        parameters: [string, string],
        result: listType(stringType),
        run: (text, separator) => split(text, separator, -1n),
      }),
      method({
        id: "string_split_string_int",
        parameters: [string, string, int],
        result: listType(stringType),
        run: split,
      }),
    ],
  },
  {
    name: "substring",
    overloads: [
      method({
        id: "string_substring_int",
        parameters: [string, int],
        result: stringType,
        run: (text, start) => substring(text, start),
      }),
      method({ id: "string_substring_int_int", parameters: [string, int, int], result: stringType, run: substring }),
    ],
  },
  {
    name: "trim",
    overloads: [
      method({
        id: "string_trim",
        parameters: [string],
        result: stringType,
        // Unlike JavaScript's trim this takes U+0085 and leaves U+FEFF, as Unicode's White_Space has it.
        run: (text) => text.replace(/^\p{White_Space}+/u, "").replace(/\p{White_Space}+$/u, ""),
      }),
    ],
  },
];

/** What came with the second version of the library. */
export const laterStrings: readonly FunctionDeclaration[] = [
  {
    name: "format",
    overloads: [
      method({
        id: "string_format",
        parameters: [string, { ...listOfSome(anything.type) }],
        result: stringType,
        run: formatText,
      }),
    ],
  },
  {
    name: "strings.quote",
    overloads: [overload({ id: "strings_quote", parameters: [string], result: stringType, run: quote })],
  },
];

/** Joining the texts of a list. */
export const joining: readonly FunctionDeclaration[] = [
  {
    name: "join",
    overloads: [
      method({ id: "list_join", parameters: [listOf(string)], result: stringType, run: (list) => join(list, "") }),
      method({ id: "list_join_string", parameters: [listOf(string), string], result: stringType, run: join }),
    ],
  },
];

function charAt(text: string, index: bigint): Result {
  if (index < 0n || index > BigInt(codePoints(text))) return outOfRange(index);
  return characterAt(text, Number(index));
}

function indexOf(text: string, part: string, from: bigint): Result {
  if (part === "") return from;
  if (from < 0n) return outOfRange(from);
  const points = characters(text);
  if (from >= BigInt(points.length)) return -1n;
  const start = unitsBefore(points, Number(from));
  return pointsBefore(text, text.indexOf(part, start));
}

function lastIndexFromEnd(text: string, part: string): Result {
  const size = BigInt(codePoints(text));
  if (part === "") return size;
  return text.length < part.length ? -1n : lastIndexOf(text, part, size - 1n);
}

function lastIndexOf(text: string, part: string, from: bigint): Result {
  if (part === "") return from;
  if (from < 0n) return outOfRange(from);
  const points = characters(text);
  if (from >= BigInt(points.length)) return -1n;
  return pointsBefore(text, text.lastIndexOf(part, unitsBefore(points, Number(from))));
}

function unitsBefore(points: readonly string[], index: number): number {
  return points.slice(0, index).join("").length;
}

function pointsBefore(text: string, index: number): bigint {
  return index === -1 ? -1n : BigInt(codePoints(text.slice(0, index)));
}

/** Replaces the first so many occurrences, all of them where the count is negative. */
function replace(text: string, from: string, to: string, count: bigint): Result {
  if (count < 0n)
    return from === "" ? characters(text).reduce((all, c) => all + c + to, to) : text.replaceAll(from, () => to);
  let left = count;
  if (from === "") {
    const next = () => (left-- > 0n ? to : "");
    return (
      next() +
      characters(text)
        .map((character) => character + next())
        .join("")
    );
  }
  const [first = "", ...rest] = text.split(from);
  return rest.reduce((all, part) => all + (left-- > 0n ? to : from) + part, first);
}

/** At most so many parts, the last of which is the whole rest; any number where the count is negative. */
function split(text: string, separator: string, count: bigint): Result {
  if (count === 0n) return new PlainList([]);
  const parts = separator === "" ? characters(text) : text.split(separator);
  const most = Number(count);
  if (count < 0n || parts.length <= most) return new PlainList(parts);
  return new PlainList([...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]);
}

function substring(text: string, start: bigint, end?: bigint): Result {
  const points = characters(text);
  const size = BigInt(points.length);
  if (end !== undefined && start > end) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > size)) return outOfRange(end);
  return points.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

function join(list: ListValue, separator: string): Result {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const part = list.at(index);
    if (part instanceof Failure) return part;
    if (typeof part !== "string") return new Failure(`join: invalid input: ${typeName(part)}`);
    parts.push(part);
  }
  return parts.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  // Half of a surrogate pair is no character; the round trip turns it into U+FFFD.
  const body = characters(Buffer.from(text).toString()).map((character) => escapes[character] ?? character);
  return `"${body.join("")}"`;
}

function outOfRange(index: bigint): Failure {
  return new Failure(`index out of range: ${index}`);
}
