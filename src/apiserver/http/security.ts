import type { IncomingHttpHeaders } from "node:http";
import type { PeerCertificate } from "node:tls";
import type { Caller } from "#apiserver/admission";

/** What a request brings along to say who makes it. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** The certificate that the client showed; none where it showed none. */
  readonly tlsPeer?: TlsPeer;
}

export interface TlsPeer {
  readonly certificate: PeerCertificate;
  /** True where the authority for clients signed it and it is in force. */
  readonly trusted: boolean;
}

/** What a caller wants to do: something to a resource, or to a path that belongs to none. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself, as are the two below where none is meant. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

/** Decides who may do what. */
export interface Security {
  /** Who makes a request; throws an ApiError 401 for credentials that are not good. */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** Throws an ApiError 403 where the caller may not. */
  authorize(caller: Caller, attributes: Attributes): Promise<void>;
}
