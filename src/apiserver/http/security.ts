import type { IncomingHttpHeaders } from "node:http";
import type { PeerCertificate } from "node:tls";
import type { Caller } from "#apiserver/admission";
import type { Attributes } from "#apiserver/auth";

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

/** Decides who may do what. */
export interface Security {
  /** Who makes a request; throws an ApiError 401 for credentials that are not good. */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** Throws an ApiError 403 where the caller may not. */
  authorize(caller: Caller, attributes: Attributes): Promise<void>;
}
