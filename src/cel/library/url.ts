import { type FunctionDeclaration, method, type Overload, overload } from "../check/declaration.ts";
import { boolType, listType, mapType, stringType, structType, type Type } from "../check/type.ts";
import { PlainList } from "../values/list.ts";
import { PlainMap } from "../values/map.ts";
import { Failure, ObjectValue, type Result } from "../values/value.ts";
import { instance, string } from "./kinds.ts";
import { decoded, parseQuery, parseUrl, type UrlParts } from "./url-parse.ts";

/** A URL taken apart. */
export class Url extends ObjectValue {
  readonly typeName = "kubernetes.URL";
  readonly parts: UrlParts;
  readonly #text: string;

  constructor(text: string, parts: UrlParts) {
    super();
    this.#text = text;
    this.parts = parts;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Url && other.#text === this.#text;
  }
}

export const urlType: Type = structType("kubernetes.URL");

const url = instance(urlType, Url);

/** URLs. */
export const urls: readonly FunctionDeclaration[] = [
  {
    name: "url",
    overloads: [overload({ id: "string_to_url", parameters: [string], result: urlType, run: urlOf })],
  },
  {
    name: "isURL",
    overloads: [
      overload({
        id: "is_url_string",
        parameters: [string],
        result: boolType,
        run: (text) => !("problem" in parseUrl(text, { strict: true })),
      }),
    ],
  },
  { name: "getScheme", overloads: [part("url_get_scheme", ({ scheme }) => scheme)] },
  { name: "getHost", overloads: [part("url_get_host", ({ host }) => host)] },
  { name: "getHostname", overloads: [part("url_get_hostname", ({ host }) => hostAndPort(host).name)] },
  { name: "getPort", overloads: [part("url_get_port", ({ host }) => hostAndPort(host).port)] },
  { name: "getEscapedPath", overloads: [part("url_get_escaped_path", ({ path }) => escapedPath(path))] },
  {
    name: "getQuery",
    overloads: [
      method({
        id: "url_get_query",
        parameters: [url],
        result: mapType(stringType, listType(stringType)),
        run: ({ parts }) => queryOf(parts.query),
      }),
    ],
  },
];

function part(id: string, read: (parts: UrlParts) => string): Overload {
  return method({ id, parameters: [url], result: stringType, run: ({ parts }) => read(parts) });
}

function urlOf(text: string): Result {
  const strict = parseUrl(text, { strict: true });
  const lenient = "problem" in strict ? strict : parseUrl(text, { strict: false });
  if ("problem" in lenient) return new Failure(`URL parse error during conversion from string: ${lenient.problem}`);
  return new Url(text, lenient);
}

function hostAndPort(host: string): { readonly name: string; readonly port: string } {
  const [, bracketed, plain = "", port = ""] = /^(?:\[(.*)\]|(.*?))(?::(\d*))?$/s.exec(host) ?? [];
  return { name: bracketed ?? plain, port };
}

const allowedInPath = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]%]*$/;

/** The path as it was, if it was escaped properly; else escaped anew. */
function escapedPath(path: string): string {
  if (path === "*" || allowedInPath.test(path)) return path;
  return decoded(path).replaceAll(/[^A-Za-z0-9\-._~$&+,/:;=@]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}

function queryOf(query: string): Result {
  return PlainMap.ofTexts([...parseQuery(query)].map(([key, values]) => [key, new PlainList([...values])]));
}
