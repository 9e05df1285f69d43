import type { Clock } from "#base";
import { badRequest, type KubeObject } from "#machinery";
import type { Authenticator } from "../identity/authenticator.ts";
import { textsIn } from "../rbac/policy-rule.ts";
import { type AnsweredResource, answeredResource, objectIn, type Question, textIn } from "./answered-resource.ts";
import { userInfo } from "./user-info.ts";

const group = "authentication.k8s.io";

/** Who somebody is: TokenReview for the holder of a token, SelfSubjectReview for oneself. */
export function identityReviews(authenticator: Authenticator, clock: Clock): readonly AnsweredResource[] {
  return [
    answeredResource({ group, version: "v1", resource: "tokenreviews", kind: "TokenReview" }, (question) =>
      reviewToken(authenticator, question),
    ),
    answeredResource(
      { group, version: "v1", resource: "selfsubjectreviews", kind: "SelfSubjectReview" },
      ({ body, caller }) => ({
        apiVersion: body.apiVersion,
        kind: body.kind,
        metadata: { creationTimestamp: clock.now() },
        status: { userInfo: userInfo(caller) },
      }),
    ),
  ];
}

async function reviewToken(authenticator: Authenticator, { body }: Question): Promise<KubeObject> {
  const spec = objectIn(body, "spec");
  const token = textIn(spec, "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const wanted = textsIn(spec, "audiences");
  const verdict = await authenticator.verify(token, wanted.length === 0 ? authenticator.audiences : wanted);
  const status =
    verdict.kind === "good"
      ? { authenticated: true, user: userInfo(verdict.caller), audiences: verdict.audiences }
      : { user: {}, error: verdict.why };
  return { ...body, status };
}
