import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { escapePath, hostnameOf, parseUrl, type WebhookClientConfig } from "#machinery";
import { CalloutError } from "./errors.ts";

/** Where a webhook is, and how it proves that it is the right one. */
export interface HookTarget {
  /** As messages show it: `https://name.namespace.svc:443/path`. */
  readonly url: string;
  readonly path: string;
  /** What goes into the Host header. */
  readonly authority: string;
  readonly place: HookPlace;
  /** The name that its certificate has to be for; an address where it is reached by one. */
  readonly identity: string;
  /** Whom to trust for that name, as PEM; absent: whom everybody trusts. */
  readonly authorities: string | undefined;
}

/** What to connect to: a host, or a service that has to be found first. */
export type HookPlace =
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  | { readonly kind: "service"; readonly namespace: string; readonly name: string; readonly port: number };

const httpsPort = 443;

/** Reads where a webhook is out of a configuration that has been checked. */
export function targetOf({ url, service, caBundle }: WebhookClientConfig): HookTarget {
  const authorities = authoritiesIn(caBundle ?? "");
  if (service !== undefined) {
    const { namespace, name, port = httpsPort, path = "" } = service;
    const identity = `${name}.${namespace}.svc`;
    const authority = `${identity}:${port}`;
    const rooted = path.startsWith("/") ? path : `/${path}`;
    const place = { kind: "service", namespace, name, port } as const;
    return { url: `https://${authority}${rooted}`, path: rooted, authority, place, identity, authorities };
  }
  return { ...hostTarget(url ?? ""), authorities };
}

function hostTarget(text: string): Omit<HookTarget, "authorities"> {
  const reading = parseUrl(text);
  if (reading.kind === "none") throw new CalloutError(`could not get REST client: Unparsable URL: ${reading.why}`);
  const { host: authority, path } = reading.url;
  const host = hostnameOf(reading.url);
  const [, port = httpsPort] = /:(\d+)$/.exec(authority) ?? [];
  const rooted = escapePath(path === "" ? "/" : path);
  const place = { kind: "host", host, port: Number(port) } as const;
  return { url: `https://${authority}${rooted}`, path: rooted, authority, place, identity: host };
}

/** True for a target that is known by its address, and not by a name. */
export function isKnownByAddress({ identity }: HookTarget): boolean {
  return isIP(identity) !== 0;
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a bundle, which is PEM in base64; blank means that there is none. */
function authoritiesIn(bundle: string): string | undefined {
  const text = Buffer.from(bundle, "base64").toString();
  if (text.trim() === "") return undefined;
  const readable = (text.match(certificate) ?? []).filter(isCertificate);
  if (readable.length > 0) return readable.join("\n");
  throw new CalloutError(
    "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block",
  );
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
