import { badRequest, type JsonObject, type KubeObject } from "#machinery";
import type { Caller } from "#apiserver/admission";
import type { Attributes } from "../rbac/attributes.ts";
import { type Authorizer, describeMissing } from "../rbac/authorizer.ts";
import { type PolicyRule, ruleShown, textsIn } from "../rbac/policy-rule.ts";
import { checkAccessReview } from "./access-review-problems.ts";
import { type AnsweredResource, answeredResource, objectIn, type Question, textIn } from "./answered-resource.ts";

const about = { group: "authorization.k8s.io", version: "v1" };

/** What somebody may do: somebody else, in one namespace, oneself, and everything that one may. */
export function accessReviews(authorizer: Authorizer): readonly AnsweredResource[] {
  const review = (question: Question, caller: Caller): KubeObject => ({
    ...question.body,
    status: decisionFor(authorizer, caller, objectIn(question.body, "spec")),
  });
  return [
    answeredResource({ ...about, resource: "subjectaccessreviews", kind: "SubjectAccessReview" }, (question) => {
      checkAccessReview(question.body, "anyone");
      return review(question, subjectOf(question.body));
    }),
    answeredResource(
      { ...about, resource: "localsubjectaccessreviews", kind: "LocalSubjectAccessReview", namespaced: true },
      (question) => {
        checkAccessReview(question.body, "in-namespace");
        return review(question, subjectOf(question.body));
      },
    ),
    answeredResource(
      { ...about, resource: "selfsubjectaccessreviews", kind: "SelfSubjectAccessReview" },
      (question) => {
        checkAccessReview(question.body, "oneself");
        return review(question, question.caller);
      },
    ),
    answeredResource({ ...about, resource: "selfsubjectrulesreviews", kind: "SelfSubjectRulesReview" }, (question) =>
      reviewRules(authorizer, question),
    ),
  ];
}

/** Whom a review is about. */
function subjectOf(review: KubeObject): Caller {
  const spec = objectIn(review, "spec");
  return { name: textIn(spec, "user"), groups: textsIn(spec, "groups"), uid: textIn(spec, "uid") };
}

function decisionFor(authorizer: Authorizer, caller: Caller, spec: JsonObject): JsonObject {
  const { allowed, reason } = authorizer.decide(caller, attributesIn(spec));
  return { allowed, ...(reason === "" ? {} : { reason }) };
}

function attributesIn(spec: JsonObject): Attributes {
  const path = spec["nonResourceAttributes"];
  if (path !== undefined && path !== null) return { verb: textIn(path, "verb"), path: textIn(path, "path") };
  const resource = objectIn(spec, "resourceAttributes");
  const text = (field: string) => textIn(resource, field);
  return {
    verb: text("verb"),
    group: text("group"),
    version: text("version"),
    resource: text("resource"),
    subresource: text("subresource"),
    namespace: text("namespace"),
    name: text("name"),
  };
}

function reviewRules(authorizer: Authorizer, { body, caller }: Question): KubeObject {
  const namespace = textIn(objectIn(body, "spec"), "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, missing } = authorizer.rulesFor(caller, namespace);
  const forPaths = (rule: PolicyRule) => rule.nonResourceURLs.length > 0;
  return {
    apiVersion: body.apiVersion,
    kind: body.kind,
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter((rule) => !forPaths(rule)).map(ruleShown),
      nonResourceRules: rules.filter(forPaths).map(ruleShown),
      incomplete: false,
      ...(missing.length === 0 ? {} : { evaluationError: describeMissing(missing) }),
    },
  };
}
