import { isIPv6 } from "node:net";
import { quote } from "#base";

/** A URL in its parts, as Go's `net/url` reads them. */
export interface GoUrl {
  /** In lower case; empty where there is none. */
  readonly scheme: string;
  /** As written, before the `@`. */
  readonly userinfo?: string;
  /** With its port, as written; an IPv6 address in brackets. */
  readonly host: string;
  /** Unescaped. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A URL, or why a text is none, in Go's words. */
export type UrlReading =
  | { readonly kind: "url"; readonly url: GoUrl }
  | { readonly kind: "none"; readonly why: string };

/** Reads a text as Go's `url.Parse` does. */
export function parseUrl(text: string): UrlReading {
  const [withoutFragment = ""] = text.split("#", 1);
  return read(text, withoutFragment, { forRequest: false });
}

/** Reads a text as Go's `url.ParseRequestURI` does: absolute, and without a fragment. */
export function parseRequestUri(text: string): UrlReading {
  return read(text, text, { forRequest: true });
}

/** The host of a URL without its port, an IPv6 address without its brackets. */
export function hostnameOf({ host }: Pick<GoUrl, "host">): string {
  return host.replace(/:[0-9]*$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** Escapes a path as Go does when it prints a URL. */
export function escapePath(path: string): string {
  return encodeURIComponent(path).replaceAll(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)|[!'()*]/g, (piece) =>
    piece.length === 1 ? `%${piece.charCodeAt(0).toString(16).toUpperCase()}` : decodeURIComponent(piece),
  );
}

function read(text: string, reference: string, { forRequest }: { readonly forRequest: boolean }): UrlReading {
  const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(reference) ?? [];
  const rest = reference.slice(scheme === "" ? 0 : scheme.length + 1);
  const mark = rest.indexOf("?");
  const hierarchy = mark < 0 ? rest : rest.slice(0, mark);
  const problem = textProblem(reference, forRequest) ?? hierarchyProblem(hierarchy, scheme, forRequest);
  if (problem !== undefined) return { kind: "none", why: `parse ${quote(text)}: ${problem}` };
  const query = mark < 0 ? "" : rest.slice(mark + 1);
  return { kind: "url", url: { scheme: scheme.toLowerCase(), ...partsOf(hierarchy, scheme, forRequest), query } };
}

function textProblem(text: string, forRequest: boolean): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return "net/url: invalid control character in URL";
  if (text === "" && forRequest) return "empty url";
  return text.startsWith(":") ? "missing protocol scheme" : undefined;
}

function hierarchyProblem(hierarchy: string, scheme: string, forRequest: boolean): string | undefined {
  if (hierarchy === "*" && scheme === "") return undefined;
  if (!hierarchy.startsWith("/")) return rootlessProblem(hierarchy, scheme, forRequest);
  if (!hasAuthority(hierarchy, scheme, forRequest)) return badEscape(hierarchy);
  const { authority, path } = splitAuthority(hierarchy);
  return authorityProblem(authority) ?? badEscape(path);
}

/** What begins with no slash is opaque after a scheme, and without one a path from where the reader stands. */
function rootlessProblem(hierarchy: string, scheme: string, forRequest: boolean): string | undefined {
  if (scheme !== "") return undefined;
  if (forRequest) return "invalid URI for request";
  const [segment = ""] = hierarchy.split("/", 1);
  return segment.includes(":") ? "first path segment in URL cannot contain colon" : badEscape(hierarchy);
}

function partsOf(hierarchy: string, scheme: string, forRequest: boolean): Pick<GoUrl, "host" | "path" | "userinfo"> {
  if (scheme !== "" && !hierarchy.startsWith("/")) return { host: "", path: "" };
  if (!hasAuthority(hierarchy, scheme, forRequest)) return { host: "", path: unescape(hierarchy) };
  const { authority, path } = splitAuthority(hierarchy);
  const at = authority.lastIndexOf("@");
  const user = at < 0 ? {} : { userinfo: authority.slice(0, at) };
  return { ...user, host: authority.slice(at + 1), path: unescape(path) };
}

function hasAuthority(hierarchy: string, scheme: string, forRequest: boolean): boolean {
  if (!hierarchy.startsWith("//")) return false;
  return scheme !== "" || (!forRequest && !hierarchy.startsWith("///"));
}

function splitAuthority(hierarchy: string): { readonly authority: string; readonly path: string } {
  const end = hierarchy.indexOf("/", 2);
  if (end < 0) return { authority: hierarchy.slice(2), path: "" };
  return { authority: hierarchy.slice(2, end), path: hierarchy.slice(end) };
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf("@");
  const problem = hostProblem(authority.slice(at + 1));
  if (problem !== undefined || at < 0) return problem;
  const user = authority.slice(0, at);
  return /^[\w.~!$&'()*+,;=:@%-]*$/.test(user) ? badEscape(user) : "net/url: invalid userinfo";
}

function hostProblem(host: string): string | undefined {
  const open = host.lastIndexOf("[");
  if (open > 0) return "invalid IP-literal";
  if (open === 0) return literalProblem(host);
  const colon = host.indexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  if (!isPort(port)) return `invalid port ${quote(port)} after host`;
  // Only bytes beyond ASCII may be written as escapes in a host.
  const [escape] = /%(?![89A-Fa-f][0-9A-Fa-f]).{0,2}/.exec(host) ?? [];
  if (escape !== undefined) return `invalid URL escape ${quote(escape)}`;
  const [character] = /[ #/?@\\^`{|}]/.exec(host) ?? [];
  return character === undefined ? undefined : `invalid character ${quote(character)} in host name`;
}

function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (close < 0) return "missing ']' in host";
  const port = host.slice(close + 1);
  if (!isPort(port)) return `invalid port ${quote(port)} after host`;
  const [address = ""] = host.slice(1, close).split("%25");
  return isIPv6(address) ? undefined : "invalid IP-literal";
}

function isPort(text: string): boolean {
  return text === "" || /^:[0-9]*$/.test(text);
}

function badEscape(text: string): string | undefined {
  const [escape] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text) ?? [];
  return escape === undefined ? undefined : `invalid URL escape ${quote(escape)}`;
}

/** Escapes may stand for bytes that are no text; those become the replacement character. */
function unescape(path: string): string {
  if (!path.includes("%")) return path;
  const bytes = path
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece) => (piece.startsWith("%") ? Buffer.from(piece.slice(1), "hex") : Buffer.from(piece)));
  return Buffer.concat(bytes).toString();
}
