import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "#base";
import { ApiError } from "#machinery";
import type { Caller } from "#apiserver/admission";
import type { Plane } from "#apiserver/registry";
import { standingOf } from "./account-standing.ts";
import type { AccountTokens } from "./account-tokens.ts";
import type { ClientCertificates, ShownCertificate } from "./client-certificate.ts";
import type { StaticTokens } from "./token-file.ts";
import { anonymous, asAuthenticated } from "./well-known.ts";

/** What a request brings along to say who makes it. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** The certificate that the client showed; none where it showed none. */
  readonly tlsPeer?: {
    readonly certificate: ShownCertificate;
    /** True where the TLS layer found it good. */
    readonly trusted: boolean;
  };
}

/** What a bearer token is worth. */
export type TokenVerdict =
  | { readonly kind: "good"; readonly caller: Caller; readonly audiences: readonly string[] }
  /** `why` is what a TokenReview tells. */
  | { readonly kind: "refused"; readonly why: string };

export interface AuthenticatorParts {
  readonly certificates: ClientCertificates;
  readonly accountTokens: AccountTokens;
  readonly staticTokens: StaticTokens;
  readonly plane: Pick<Plane, "get">;
  readonly clock: Clock;
  /** For whom tokens have to be made that are to count here. */
  readonly audiences: readonly string[];
}

const refusedToken = "invalid bearer token";

/** Tells who makes a request. */
export class Authenticator {
  readonly audiences: readonly string[];
  readonly #parts: AuthenticatorParts;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.audiences = parts.audiences;
  }

  /** Who makes a request; throws an ApiError 401 where credentials were shown and none of them is good. */
  async authenticate({ headers, tlsPeer }: Credentials): Promise<Caller> {
    let refused = false;
    if (tlsPeer !== undefined) {
      const verdict = this.#parts.certificates.callerOf(tlsPeer.certificate);
      if (verdict.kind === "known" && tlsPeer.trusted) return asAuthenticated(verdict.caller);
      refused = verdict.kind === "refused" || !tlsPeer.trusted;
    }
    const token = bearerToken(headers.authorization);
    if (token !== undefined) {
      const verdict = await this.verify(token, this.audiences);
      if (verdict.kind === "good") return verdict.caller;
      refused = true;
    }
    if (refused) throw unauthorized();
    return anonymous;
  }

  /** What a token is worth to one of some audiences. */
  async verify(token: string, audiences: readonly string[]): Promise<TokenVerdict> {
    const { staticTokens, accountTokens, plane, clock } = this.#parts;
    const known = staticTokens(token);
    if (known !== undefined) {
      const shared = this.audiences.filter((audience) => audiences.includes(audience));
      if (shared.length === 0) return { kind: "refused", why: refusedToken };
      return { kind: "good", caller: asAuthenticated(known), audiences: shared };
    }
    const reading = await accountTokens.read(token);
    if (reading.kind === "foreign") return { kind: "refused", why: refusedToken };
    if (reading.kind === "forged") return { kind: "refused", why: `[${refusedToken}, ${reading.why}]` };
    const standing = standingOf(reading.claims, audiences, { plane, clock });
    if (standing.kind === "refused") return { kind: "refused", why: `[${refusedToken}, ${standing.why}]` };
    return { ...standing, caller: asAuthenticated(standing.caller) };
  }
}

/** The token of an Authorization header; undefined where it carries none, which is no mistake. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = "", token = ""] = (header ?? "").trim().split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

function unauthorized(): ApiError {
  return new ApiError({ httpCode: 401, reason: "Unauthorized", message: "Unauthorized" });
}
