import type { Json } from "#machinery";
import type { Headers } from "./connection.ts";

/** A question to a server. `$robot` in a body stands for a token of the service account `robot`. */
export interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Headers;
  /** Who asks: the administrator, or the service account `robot` by its token. */
  readonly by?: "robot";
}

/** A question with its answer, in which names that differ from run to run are replaced. */
export interface Recorded extends Case {
  readonly code: number;
  readonly answer: Json;
}

/** The namespace that everything happens in. */
export const home = "auth-record";

/** Headers with which the administrator asks as somebody else. */
export function as(user: string, ...groups: readonly string[]): { readonly headers: Headers } {
  return { headers: { "impersonate-user": user, ...(groups.length === 0 ? {} : { "impersonate-group": groups }) } };
}
