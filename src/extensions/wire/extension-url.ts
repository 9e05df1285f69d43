import { posix } from "node:path";
import { escapePath, type GoUrl, hostnameOf, parseUrl } from "#machinery";
import { type GroupVersionHook, hookPath } from "../catalog/group-version-hook.ts";
import { ExtensionAddressError } from "../errors.ts";
import type { ClientConfig } from "../registry/registration.ts";

/** Where a handler is called. */
export interface ExtensionUrl {
  /** `https://host:port`. */
  readonly origin: string;
  /** With its port. */
  readonly host: string;
  /** The name that the certificate has to show. */
  readonly hostname: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** `user:password`, where the URL has one. */
  readonly userinfo?: string;
}

type Service = NonNullable<ClientConfig["service"]>;

/** Where the handler of a hook is called; without a handler, where the hook itself is. */
export function extensionUrl(config: ClientConfig, hook: GroupVersionHook, handler = ""): ExtensionUrl {
  const { host, path, query, userinfo } = baseOf(config);
  const joined = posix.join(path, hookPath(hook, handler));
  const rooted = escapePath(joined.startsWith("/") ? joined : `/${joined}`);
  return {
    origin: `https://${host}`,
    host,
    hostname: hostnameOf({ host }),
    path: rooted.length > 1 ? rooted.replace(/\/$/, "") : rooted,
    query,
    ...(userinfo === undefined ? {} : { userinfo }),
  };
}

/** The same with a timeout, which the extension may want to know. */
export function withTimeout(url: ExtensionUrl, timeout: string): ExtensionUrl {
  const query = new URLSearchParams(url.query);
  query.append("timeout", timeout);
  query.sort();
  return { ...url, query: query.toString() };
}

/** The URL as a text, without a password. */
export function printUrl({ host, path, query, userinfo }: ExtensionUrl): string {
  const user = userinfo === undefined ? "" : `${userinfo.replace(/:.*$/, ":***")}@`;
  return `https://${user}${host}${pathAndQuery({ path, query })}`;
}

/** What stands in the first line of a request. */
export function pathAndQuery({ path, query }: Pick<ExtensionUrl, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** True where a service is named at all: an empty one is none. */
function isDefined(service: Service | undefined): service is Service {
  return service !== undefined && Object.values(service).some((field) => field !== "");
}

function baseOf({ service, url = "" }: ClientConfig): GoUrl {
  if (isDefined(service)) {
    const { name, namespace, port, path = "" } = service;
    const host = `${name}.${namespace}.svc${port === undefined ? "" : `:${port}`}`;
    return { scheme: "https", host, path, query: "" };
  }
  if (url === "") throw unreachable("at least one of service and url should be defined in config");
  const reading = parseUrl(url);
  if (reading.kind === "none") throw unreachable(`failed to parse url from clientConfig: ${reading.why}`);
  if (reading.url.scheme !== "https") throw unreachable(`expected https scheme, got ${reading.url.scheme}`);
  return reading.url;
}

function unreachable(why: string): ExtensionAddressError {
  return new ExtensionAddressError(`failed to compute URL: ${why}`);
}
