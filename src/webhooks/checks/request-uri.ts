import { isIPv6 } from "node:net";
import { quote } from "#base";

/** A URL as a request can carry it, as far as checks look at it, or why a text is none, in Go's words. */
export type RequestUri =
  | { readonly kind: "uri"; readonly scheme: string }
  | { readonly kind: "none"; readonly why: string };

/** Reads a text as Go's `url.ParseRequestURI` does. */
export function parseRequestUri(text: string): RequestUri {
  const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const problem = problemOf(text, scheme);
  return problem === undefined
    ? { kind: "uri", scheme: scheme.toLowerCase() }
    : { kind: "none", why: `parse ${quote(text)}: ${problem}` };
}

function problemOf(text: string, scheme: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return "net/url: invalid control character in URL";
  if (text === "") return "empty url";
  if (text === "*") return undefined;
  if (text.startsWith(":")) return "missing protocol scheme";
  const [rest = ""] = text.slice(scheme === "" ? 0 : scheme.length + 1).split("?");
  if (!rest.startsWith("/")) return scheme === "" ? "invalid URI for request" : undefined;
  if (scheme === "" || !rest.startsWith("//")) return badEscape(rest);
  const end = rest.indexOf("/", 2);
  const authority = rest.slice(2, end < 0 ? undefined : end);
  return authorityProblem(authority) ?? badEscape(end < 0 ? "" : rest.slice(end));
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
