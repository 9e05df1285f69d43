import type { Credentials } from "./config/credentials.ts";
import { NoConnectionError } from "./errors.ts";

/** How to reach one API server. */
export interface Connection {
  /** The URL of the server, possibly with a path that all requests start with. */
  readonly server: string;
  readonly tls?: TlsSettings;
  readonly credentials?: Credentials;
  /** On whose behalf to act. */
  readonly impersonate?: Impersonation;
  /** The namespace that its owner works in; the transport itself never adds it. */
  readonly namespace?: string;
  /** Whether large answers may come compressed; they may unless told otherwise. */
  readonly compression?: boolean;
}

/** Certificates and keys in PEM: the content itself, or a file that is read anew for every connection. */
export type Pem = string | Uint8Array | { readonly file: string };

/** Whom to trust, and how to show who we are. */
export interface TlsSettings {
  /** Who signs the server's certificate; the authorities of the system unless told. */
  readonly authority?: Pem;
  /** Our own certificate and its key. */
  readonly certificate?: Pem;
  readonly key?: Pem;
  /** The name in the server's certificate, where it is not the host of the URL. */
  readonly serverName?: string;
  /** True to trust anybody. */
  readonly insecure?: boolean;
}

/** Somebody else to act for, where the server allows it. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: { readonly [name: string]: readonly string[] };
}

/** Where a server is; anything but an http or https URL is refused. */
export function serverUrl({ server }: Connection): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new NoConnectionError(`a server is reached by an http or https URL, not by ${server}`);
}

/** The headers that ask a server to act for somebody else. */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): {
  readonly [name: string]: string | readonly string[];
} {
  return {
    "impersonate-user": user,
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...(groups.length === 0 ? {} : { "impersonate-group": groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([name, values]) => [`impersonate-extra-${encodeURIComponent(name)}`, values]),
    ),
  };
}
