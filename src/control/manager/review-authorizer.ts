import type { Client } from "#client";
import { fieldAt, isJsonObject, type JsonObject } from "#machinery";
import type { Authorize } from "./diagnostics-server.ts";

const tokenReview = { group: "authentication.k8s.io", version: "v1", kind: "TokenReview" };
const accessReview = { group: "authorization.k8s.io", version: "v1", kind: "SubjectAccessReview" };

/** Asks the API server who a caller is and whether he may get a path: whoever may there may here. */
export function reviewAuthorizer(client: Pick<Client, "create">): Authorize {
  return async ({ token, path }) => {
    if (token === undefined) return "unauthenticated";
    const user = await userOf(token);
    if (user === undefined) return "unauthenticated";
    const review = await client.create(accessReview, {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      metadata: {},
      spec: {
        user: fieldAt(user, "username"),
        uid: fieldAt(user, "uid"),
        groups: fieldAt(user, "groups"),
        extra: fieldAt(user, "extra"),
        nonResourceAttributes: { path, verb: "get" },
      },
    });
    return fieldAt(review, "status", "allowed") === true ? "allowed" : "forbidden";
  };

  async function userOf(token: string): Promise<JsonObject | undefined> {
    const review = await client.create(tokenReview, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      metadata: {},
      spec: { token },
    });
    const user = fieldAt(review, "status", "user");
    return fieldAt(review, "status", "authenticated") === true && isJsonObject(user) ? user : undefined;
  }
}
