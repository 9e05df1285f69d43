import { FieldPath, type JsonSchema } from "#machinery";
import { valuesOf } from "./structure.ts";

/** The path that a rule's `fieldPath` spells, or why it is none. */
export type ParsedFieldPath =
  | { readonly path: FieldPath; readonly problem?: undefined }
  | { readonly path?: undefined; readonly problem: string };

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** Reads `.a.b` and `['a']`, each step of which has to be in the schema. */
export function parseFieldPath(text: string, schema: JsonSchema): ParsedFieldPath {
  const tokens = tokenize(text);
  let place: { readonly path: FieldPath; readonly schema: JsonSchema | undefined } = { path: FieldPath.root, schema };
  for (let index = 0; index < tokens.length;) {
    const mark = tokens[index];
    const token = tokens[index + 1];
    if (mark !== "[" && mark !== ".") return { problem: `expected [ or . but got: ${mark}` };
    if (token === undefined) return { problem: "unexpected end of JSON path" };
    const name = mark === "." ? { text: token } : unquote(token);
    if ("problem" in name) return name;
    const next = step(place.path, place.schema, name.text);
    if ("problem" in next) return next;
    place = next;
    index += 2;
    if (mark === ".") continue;
    const closing = tokens[index];
    if (closing === undefined) return { problem: "unexpected end of JSON path" };
    if (closing !== "]") return { problem: `expected ] but got ${closing}` };
    index += 1;
  }
  return { path: place.path };
}

function tokenize(text: string): readonly string[] {
  return text.match(/'(?:[^']|(?<=\\)')*'|'[^]*$|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? [];
}

function unquote(token: string): { readonly text: string } | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  let bad: string | undefined;
  const text = token.slice(1, -1).replaceAll(/\\(.)/g, (escape, letter: string) => {
    const character = escapes[letter];
    if (character === undefined) bad = escape;
    return character ?? "";
  });
  return bad === undefined ? { text } : { problem: `invalid string literal: invalid escape char ${bad}` };
}

function step(
  path: FieldPath,
  schema: JsonSchema | undefined,
  name: string,
): { readonly path: FieldPath; readonly schema: JsonSchema | undefined } | { readonly problem: string } {
  const missing = { problem: "does not refer to a valid field" };
  if (schema?.properties !== undefined) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return property === undefined ? missing : { path: path.child(name), schema: property };
  }
  const values = schema && valuesOf(schema);
  return schema?.additionalProperties === undefined ? missing : { path: path.key(name), schema: values };
}
