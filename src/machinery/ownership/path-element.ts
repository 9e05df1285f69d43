import { CapstanError, quote } from "#base";
import { encodeJson } from "../json-encode.ts";
import { isJsonObject, type Json } from "../json.ts";

/**
 * One step of a field path, as managedFields writes it: `f:name`, `k:{"key":"v"}`, `v:value` or `i:n`.
 * The text is canonical, so that equal steps are equal texts.
 */
export type PathElement = string;

/** A `fieldsV1` that cannot be read. */
export class InvalidFieldsError extends CapstanError {
  readonly code = "INVALID_FIELDS";
}

// Most names come again with every object of their kind, and a text that is known already is found faster in a set.
const fieldElements = new Map<string, PathElement>();
const mostFieldElements = 10_000;
const longestKnownField = 200;

/** The step to a named field of a struct or map. */
export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name);
  if (known !== undefined) return known;
  const element = `f:${name}`;
  if (fieldElements.size === mostFieldElements) fieldElements.clear();
  if (name.length <= longestKnownField) fieldElements.set(name, element);
  return element;
}

/** The step to the item of a list that has these keys. */
export function keyElement(keys: { readonly [name: string]: Json }): PathElement {
  const members = Object.keys(keys)
    .toSorted(compareText)
    .map((name) => `${goJson(name)}:${goJson(keys[name] ?? null)}`);
  return `k:{${members.join(",")}}`;
}

/** The step to a value in a set. */
export function valueElement(value: Json): PathElement {
  return `v:${goJson(value)}`;
}

/** Reads a step in any spelling; undefined for a kind of step that nobody knows yet, which readers skip. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new InvalidFieldsError("parsing key as path element: key must be 2 characters long:");
  if (text[1] !== ":") throw new InvalidFieldsError(`parsing key as path element: missing colon: ${text}`);
  const content = text.slice(2);
  switch (text.charAt(0)) {
    case "f":
      return text;
    case "v":
      return valueElement(parseFirst(content));
    case "k":
      return keyElement(parseKeys(content));
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new InvalidFieldsError(`parsing key as path element: ${quote(content)}`);
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

/** A step as paths print it: `.name`, `[key="v"]`, `[="value"]`, `[0]`. */
export function describePathElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case "f":
      return `.${content}`;
    case "k": {
      const keys = parseKeys(content);
      return `[${Object.keys(keys)
        .map((name) => `${name}=${describeValue(keys[name] ?? null)}`)
        .join(",")}]`;
    }
    case "v":
      return `[=${describeValue(parseFirst(content))}]`;
    default:
      return `[${content}]`;
  }
}

/** The canonical order: fields by name, keyed items, set values, indexes. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  const kind = kindOrder.indexOf(a.charAt(0)) - kindOrder.indexOf(b.charAt(0));
  if (kind !== 0) return kind;
  if (a.startsWith("f")) return compareText(a, b);
  if (a.startsWith("i")) return Number(a.slice(2)) - Number(b.slice(2));
  if (a.startsWith("v")) return compareValues(parseFirst(a.slice(2)), parseFirst(b.slice(2)));
  return compareKeys(Object.entries(parseKeys(a.slice(2))), Object.entries(parseKeys(b.slice(2))));
}

/** Texts in the order of their bytes in UTF-8. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const left = a.charCodeAt(at);
  const right = b.charCodeAt(at);
  // UTF-16 puts the characters above U+FFFF before U+E000, UTF-8 behind.
  if (left >= 0xd800 && right >= 0xd800) return isSurrogate(left) === isSurrogate(right) ? left - right : right - left;
  return a < b ? -1 : 1;
}

const kindOrder = "fkvi";
const plain = /^[\w .:/-]*$/;
const needsEscape = /[<>&\u2028\u2029]|\\[\\bf]/g;

/** JSON as Go's encoder writes it, which also escapes what HTML would take for its own. */
export function goJson(value: Json): string {
  if (typeof value === "string" && plain.test(value)) return `"${value}"`;
  return encodeJson(value).replaceAll(needsEscape, (found) => {
    if (found === "\\\\") return found;
    const character = found === "\\b" ? "\b" : found === "\\f" ? "\f" : found;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function describeValue(value: Json): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(describeValue).join(",")}]`;
  if (!isJsonObject(value)) return encodeJson(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}=${describeValue(member)}`)
    .join("");
}

function parseKeys(text: string): { readonly [name: string]: Json } {
  const keys = parseFirst(text);
  if (keys === null) return {};
  if (!isJsonObject(keys)) throw new InvalidFieldsError(`parsing key as path element: ${text} is not an object`);
  return keys;
}

/** The JSON value a text begins with; what follows it is ignored, as Kubernetes ignores it. */
function parseFirst(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    const [value] = leading.exec(text) ?? [];
    try {
      return parseJson(value ?? text);
    } catch (error) {
      throw new InvalidFieldsError(`parsing key as path element: ${text}`, { cause: error });
    }
  }
}

function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse yields nothing but JSON
  return JSON.parse(text) as Json;
}

const leading = /^\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})/;

function compareKeys(a: readonly (readonly [string, Json])[], b: readonly (readonly [string, Json])[]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers before texts before booleans before lists before maps before null. */
function compareValues(a: Json, b: Json): number {
  const kind = rank(a) - rank(b);
  if (kind !== 0) return kind;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "object" || typeof b === "object") return compareText(encodeJson(a), encodeJson(b));
  return a === b ? 0 : a < b ? -1 : 1;
}

function rank(value: Json): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
