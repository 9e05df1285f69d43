import { readFile } from "node:fs/promises";
import { type Clock, type Duration, seconds } from "#base";
import { CredentialFileError } from "../errors.ts";

/** What a request shows to say who sends it. */
export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization?: string;
  /** A client certificate and its key in PEM, for the connection itself. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
}

/** Where credentials come from; asked before every request, so it has to remember them. */
export interface Credentials {
  /** The credential of now; `refused` is one that the server did not accept, so that another is wanted. */
  current(options?: { readonly signal?: AbortSignal; readonly refused?: Credential }): Promise<Credential>;
}

const readAgainAfter = seconds(60);

/** A token that never changes. */
export function bearerToken(token: string): Credentials {
  const credential = { authorization: `Bearer ${token}` };
  return { current: () => Promise.resolve(credential) };
}

/** A user name and a password. */
export function basicAuthorization(username: string, password: string): Credentials {
  const encoded = Buffer.from(`${username}:${password}`).toString("base64");
  const credential = { authorization: `Basic ${encoded}` };
  return { current: () => Promise.resolve(credential) };
}

/** A token in a file that somebody renews: read again every minute, and whenever the server refuses it. */
export function tokenFile(file: string, { clock }: { readonly clock: Clock }): Credentials {
  let last: { readonly credential: Credential; readonly at: Duration } | undefined;
  return {
    async current({ refused } = {}) {
      const isFresh = last !== undefined && clock.elapsed() - last.at < readAgainAfter;
      if (last !== undefined && isFresh && last.credential !== refused) return last.credential;
      const token = await readToken(file);
      const authorization = `Bearer ${token}`;
      // Nobody gains from sending a refused token once more, so an unchanged one stays the same object.
      const credential = last?.credential.authorization === authorization ? last.credential : { authorization };
      last = { credential, at: clock.elapsed() };
      return credential;
    },
  };
}

async function readToken(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new CredentialFileError(`failed to read the token file ${file}`, { cause: error });
  }
  const token = text.trim();
  if (token === "") throw new CredentialFileError(`the token file ${file} is empty`);
  return token;
}
