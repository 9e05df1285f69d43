import { badRequest, decodeJson, fieldAt, InvalidJsonError } from "#machinery";

/** Where the next page of a list begins, and which state it is a page of. */
export interface ContinueToken {
  readonly revision: number;
  /** The last object of the page before. */
  readonly after: { readonly namespace: string; readonly name: string };
}

// The key behind the last one that was sent: nothing comes between a name and the same name with this.
const nothing = "\u0000";

/** In a token: whatever the state is by then. */
export const anyRevision = -1;

/** A token as clients carry it: opaque to them, and of the form that the real server uses. */
export function writeToken({ revision, after }: ContinueToken): string {
  const start = `${after.namespace}/${after.name}${nothing}`;
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");
}

export function readToken(text: string): ContinueToken {
  const token = parse(Buffer.from(text, "base64url").toString());
  const [version, revision, start] = [fieldAt(token, "v"), fieldAt(token, "rv"), fieldAt(token, "start")];
  if (version !== "meta.k8s.io/v1") throw refused("server does not recognize this encoded version", String(version));
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || revision === 0)
    throw refused("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  const [namespace, name] = typeof start === "string" && start.endsWith(nothing) ? start.slice(0, -1).split("/") : [];
  if (namespace === undefined || name === undefined) throw refused("encoded start key empty (version meta.k8s.io/v1)");
  return { revision, after: { namespace, name } };
}

function parse(text: string): unknown {
  try {
    return decodeJson(text).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    throw refused(error.message);
  }
}

function refused(why: string, detail = ""): Error {
  const more = detail === "" ? "" : ` ${JSON.stringify(detail)}`;
  return badRequest(`invalid continue token: continue key is not valid: ${why}${more}`);
}
