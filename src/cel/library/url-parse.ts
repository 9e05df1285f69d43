import { quote } from "#base";
import { readAddress } from "./address.ts";

/** The parts of a URL as Go's net/url takes it apart. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** As it stood in the text, still escaped. */
  readonly path: string;
  readonly query: string;
  readonly opaque: string;
}

interface Refusal {
  readonly problem: string;
}

/** Takes a URL apart; `strict` allows only absolute ones and absolute paths, without a fragment. */
export function parseUrl(text: string, { strict }: { readonly strict: boolean }): UrlParts | Refusal {
  const body = strict ? text : (text.split("#", 1)[0] ?? "");
  const parts = parseParts(body, strict);
  return "problem" in parts ? { problem: `parse ${quote(body)}: ${parts.problem}` } : parts;
}

function parseParts(text: string, strict: boolean): UrlParts | Refusal {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: "net/url: invalid control character in URL" };
  if (text === "" && strict) return { problem: "empty url" };
  const none = { scheme: "", host: "", query: "", opaque: "" };
  if (text === "*") return { ...none, path: "*" };
  if (text.startsWith(":")) return { problem: "missing protocol scheme" };
  const [, schemeText = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const scheme = schemeText.toLowerCase();
  const afterScheme = schemeText === "" ? text : text.slice(schemeText.length + 1);
  const [rest, query] = cut(afterScheme, "?");
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...none, scheme, query, opaque: rest, path: "" };
    if (strict) return { problem: "invalid URI for request" };
    if (/^[^/]*:/.test(rest)) return { problem: "first path segment in URL cannot contain colon" };
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || (!strict && !rest.startsWith("///")));
  if (!hasAuthority) return withPath({ ...none, scheme, query }, rest);
  const end = rest.indexOf("/", 2);
  const authority = end === -1 ? rest.slice(2) : rest.slice(2, end);
  const host = parseAuthority(authority);
  if (typeof host !== "string") return host;
  return withPath({ ...none, scheme, query, host }, end === -1 ? "" : rest.slice(end));
}

function withPath(parts: Omit<UrlParts, "path">, path: string): UrlParts | Refusal {
  const escape = badEscape(path);
  return escape === undefined ? { ...parts, path } : { problem: `invalid URL escape ${quote(escape)}` };
}

function parseAuthority(authority: string): string | Refusal {
  const at = authority.lastIndexOf("@");
  const host = parseHost(authority.slice(at + 1));
  if (typeof host !== "string" || at === -1) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return { problem: "net/url: invalid userinfo" };
  const escape = badEscape(user);
  return escape === undefined ? host : { problem: `invalid URL escape ${quote(escape)}` };
}

function parseHost(host: string): string | Refusal {
  const open = host.lastIndexOf("[");
  if (open > 0) return { problem: "invalid IP-literal" };
  if (open === 0) return parseLiteral(host);
  const colon = host.lastIndexOf(":");
  if (colon !== -1 && !isPort(host.slice(colon)))
    return { problem: `invalid port ${quote(host.slice(colon))} after host` };
  return unescapeHost(host);
}

/** An IPv6 address in brackets, perhaps with a zone and a port. */
function parseLiteral(host: string): string | Refusal {
  const close = host.lastIndexOf("]");
  if (close === -1) return { problem: "missing ']' in host" };
  const port = host.slice(close + 1);
  if (!isPort(port)) return { problem: `invalid port ${quote(port)} after host` };
  const name = host.slice(1, close);
  const zone = name.indexOf("%25");
  const address = unescapeHost(zone === -1 ? name : name.slice(0, zone));
  if (typeof address !== "string") return address;
  const whole = zone === -1 ? address : address + decoded(name.slice(zone));
  const parsed = readAddress(whole);
  if ("problem" in parsed) return { problem: `invalid host: ${parsed.problem}` };
  return parsed.bits === 32 ? { problem: "invalid IP-literal" } : `[${whole}]${port}`;
}

function isPort(text: string): boolean {
  return text === "" || /^:\d*$/.test(text);
}

/** In a host only bytes beyond ASCII may be escaped, and not every character may stand. */
function unescapeHost(host: string): string | Refusal {
  for (const [part] of host.matchAll(/%..|[\s\S]/gu)) {
    if (part.startsWith("%")) {
      const isAllowed = part === "%25" || /^%[89a-fA-F][0-9a-fA-F]$/.test(part);
      if (!isAllowed) return { problem: `invalid URL escape ${quote(part)}` };
    } else if (/^[\s"<>\\^`{|}#?/@]$/.test(part)) {
      // The reference allows quotes and angle brackets in a host.
      if (!/^["<>]$/.test(part)) return { problem: `invalid character ${quote(part)} in host name` };
    }
  }
  return decoded(host);
}

function badEscape(text: string): string | undefined {
  const [escape] = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/u.exec(text) ?? [];
  return escape;
}

/** A text with its escapes replaced by the bytes they stand for. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const plain = bytes.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, "latin1").toString("utf8");
}

/** The parameters of a query; what cannot be read is left out. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";") || badEscape(pair) !== undefined) continue;
    const [key, value] = cut(pair, "=").map((part) => decoded((part ?? "").replaceAll("+", " ")));
    const values = found.get(key ?? "") ?? [];
    found.set(key ?? "", [...values, value ?? ""]);
  }
  return found;
}

function cut(text: string, mark: string): readonly [string, string] {
  const index = text.indexOf(mark);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
