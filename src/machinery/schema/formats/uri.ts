import { isIPv6 } from "./address.ts";

const hexPair = /%[0-9a-fA-F]{2}/;
const userInfo = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const hostCharacters = /^[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]*$/u;

/** What Go's url.ParseRequestURI accepts: an absolute URI, or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === "" || hasControlCharacter(text)) return false;
  if (text === "*") return true;
  const split = splitScheme(text);
  if (split === undefined) return false;
  const { scheme, rest } = split;
  const [path = ""] = rest.split("?");
  // `mailto:x` is opaque: nothing after the scheme is looked at.
  if (!path.startsWith("/")) return scheme !== "";
  if (scheme === "" || !path.startsWith("//")) return hasValidEscapes(path);
  const slash = path.indexOf("/", 2);
  const authority = slash < 0 ? path.slice(2) : path.slice(2, slash);
  return isAuthority(authority) && (slash < 0 || hasValidEscapes(path.slice(slash)));
}

/** The scheme, or none where the text does not begin with one; undefined where a colon comes first. */
function splitScheme(text: string): { readonly scheme: string; readonly rest: string } | undefined {
  if (text.startsWith(":")) return undefined;
  const [all = "", scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  return { scheme, rest: text.slice(all.length) };
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  if (!isHostAndPort(authority.slice(at + 1))) return false;
  const user = at < 0 ? "" : authority.slice(0, at);
  return userInfo.test(user) && hasValidEscapes(user);
}

function isHostAndPort(host: string): boolean {
  const open = host.lastIndexOf("[");
  if (open > 0) return false;
  if (open === 0) return isBracketed(host);
  const colon = host.lastIndexOf(":");
  if (colon >= 0 && !/^:[0-9]*$/.test(host.slice(colon))) return false;
  return isHostName(colon < 0 ? host : host.slice(0, colon));
}

function isBracketed(host: string): boolean {
  const close = host.lastIndexOf("]");
  if (close < 0 || !/^(?::[0-9]*)?$/.test(host.slice(close + 1))) return false;
  const [address = "", zone] = host.slice(1, close).split("%25");
  return isIPv6(address) && (zone === undefined || zone !== "");
}

function isHostName(host: string): boolean {
  if (!hasValidEscapes(host)) return false;
  // Only bytes beyond ASCII may be escaped in a host.
  const escapes = host.match(/%[0-9a-fA-F]{2}/g) ?? [];
  return escapes.every((escape) => escape >= "%8") && hostCharacters.test(host.replaceAll(/%[0-9a-fA-F]{2}/g, ""));
}

function hasValidEscapes(text: string): boolean {
  return (
    !text.includes("%") ||
    text
      .split("%")
      .slice(1)
      .every((part) => hexPair.test(`%${part.slice(0, 2)}`))
  );
}

function hasControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text);
}
