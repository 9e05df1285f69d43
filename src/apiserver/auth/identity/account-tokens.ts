import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { fieldAt, isJsonObject, type Json, type JsonObject } from "#machinery";
import { accountUser } from "../rbac/subjects.ts";

/** An object that a token is bound to: with it goes the token. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

/** What a token of a service account says. */
export interface AccountClaims {
  readonly id: string;
  readonly audiences: readonly string[];
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
  /** Seconds since 1970, as are the two below. */
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly expires: number;
}

/** What there is of a token. */
export type TokenReading =
  | { readonly kind: "genuine"; readonly claims: AccountClaims }
  /** Not made by this issuer, or no such token at all. */
  | { readonly kind: "foreign" }
  | { readonly kind: "forged"; readonly why: string };

export interface AccountTokensOptions {
  /** Who signs, as the tokens name it: a URL. */
  readonly issuer: string;
  /** An ECDSA P-256 private key, PEM. */
  readonly key: string;
}

const mostRemembered = 4096;

/** Loaded with the first token: most servers are up before anybody shows or wants one. */
const library = () => import("jose");

/** Signs tokens of service accounts and reads them again: JWT, ES256 and nothing else. */
export class AccountTokens {
  readonly issuer: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;
  /** Genuine tokens by their digest: a signature that was good stays good. */
  readonly #read = new Map<string, TokenReading>();

  constructor({ issuer, key }: AccountTokensOptions) {
    this.issuer = issuer;
    this.#privateKey = createPrivateKey(key);
    this.#publicKey = createPublicKey(this.#privateKey);
    const bytes = this.#publicKey.export({ type: "spki", format: "der" });
    this.#keyId = createHash("sha256").update(bytes).digest("base64url");
  }

  async sign(claims: AccountClaims): Promise<string> {
    const { id, audiences, issuedAt, notBefore, expires, namespace, account, node, pod, secret } = claims;
    const payload = {
      aud: [...audiences],
      exp: expires,
      iat: issuedAt,
      iss: this.issuer,
      jti: id,
      "kubernetes.io": {
        namespace,
        ...(node === undefined ? {} : { node }),
        ...(pod === undefined ? {} : { pod }),
        ...(secret === undefined ? {} : { secret }),
        serviceaccount: account,
      },
      nbf: notBefore,
      sub: accountUser(namespace, account.name),
    };
    const { SignJWT } = await library();
    return await new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: this.#keyId }).sign(this.#privateKey);
  }

  /** What a token says, if it is one of ours; whether it still counts is for others to tell. */
  async read(token: string): Promise<TokenReading> {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = this.#read.get(digest);
    if (known !== undefined) return known;
    const reading = await this.#verify(token);
    if (reading.kind === "genuine") this.#remember(digest, reading);
    return reading;
  }

  /** The public key, as others fetch it to check tokens themselves. */
  async publicKeys(): Promise<JsonObject> {
    const { exportJWK } = await library();
    const { kty = "", crv = "", x = "", y = "" } = await exportJWK(this.#publicKey);
    return { keys: [{ use: "sig", kty, kid: this.#keyId, crv, alg: "ES256", x, y }] };
  }

  async #verify(token: string): Promise<TokenReading> {
    if (!(await isFrom(this.issuer, token))) return { kind: "foreign" };
    const { compactVerify, errors } = await library();
    let payload: Uint8Array;
    try {
      ({ payload } = await compactVerify(token, this.#publicKey, { algorithms: ["ES256"] }));
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return { kind: "forged", why: "the signature of the token is not valid" };
    }
    const claims = claimsIn(JSON.parse(Buffer.from(payload).toString("utf8")));
    return claims === undefined
      ? { kind: "forged", why: "the token names no service account" }
      : { kind: "genuine", claims };
  }

  #remember(digest: string, reading: TokenReading): void {
    if (this.#read.size >= mostRemembered) {
      const [oldest] = this.#read.keys();
      if (oldest !== undefined) this.#read.delete(oldest);
    }
    this.#read.set(digest, reading);
  }
}

/** Looks at who claims to have made a token; nothing of it is believed yet. */
async function isFrom(issuer: string, token: string): Promise<boolean> {
  const { decodeJwt, errors } = await library();
  try {
    return decodeJwt(token).iss === issuer;
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    return false;
  }
}

function claimsIn(payload: Json): AccountClaims | undefined {
  if (!isJsonObject(payload)) return undefined;
  const own = payload["kubernetes.io"];
  const account = boundIn(own, "serviceaccount");
  const [namespace, id] = [fieldAt(own, "namespace"), payload["jti"]];
  const [issuedAt, notBefore, expires] = [payload["iat"], payload["nbf"], payload["exp"]];
  const audiences = payload["aud"];
  if (account === undefined || typeof namespace !== "string" || typeof id !== "string") return undefined;
  if (typeof issuedAt !== "number" || typeof notBefore !== "number" || typeof expires !== "number") return undefined;
  if (!Array.isArray(audiences)) return undefined;
  const [pod, secret, node] = ["pod", "secret", "node"].map((field) => boundIn(own, field));
  return {
    id,
    audiences: audiences.filter((audience) => typeof audience === "string"),
    namespace,
    account,
    ...(pod === undefined ? {} : { pod }),
    ...(secret === undefined ? {} : { secret }),
    ...(node === undefined ? {} : { node }),
    issuedAt,
    notBefore,
    expires,
  };
}

function boundIn(claims: unknown, field: string): BoundObject | undefined {
  const [name, uid] = [fieldAt(claims, field, "name"), fieldAt(claims, field, "uid")];
  return typeof name === "string" && typeof uid === "string" ? { name, uid } : undefined;
}
