import type { Json, JsonObject } from "#machinery";
import { as, type Case, home } from "./case.ts";

const authentication = "authentication.k8s.io/v1";
const authorization = "authorization.k8s.io/v1";

function tokenReview(name: string, spec: JsonObject, metadata: JsonObject = {}): Case {
  const body = { apiVersion: authentication, kind: "TokenReview", metadata, spec };
  return { name: `TokenReview: ${name}`, method: "POST", path: `/apis/${authentication}/tokenreviews`, body };
}

function access(name: string, spec: JsonObject, metadata: JsonObject = {}): Case {
  const body = { apiVersion: authorization, kind: "SubjectAccessReview", metadata, spec };
  return {
    name: `SubjectAccessReview: ${name}`,
    method: "POST",
    path: `/apis/${authorization}/subjectaccessreviews`,
    body,
  };
}

function own(name: string, spec: JsonObject | undefined, more: Partial<Case> = {}): Case {
  const body = { apiVersion: authorization, kind: "SelfSubjectAccessReview", ...(spec === undefined ? {} : { spec }) };
  const path = `/apis/${authorization}/selfsubjectaccessreviews`;
  return { name: `SelfSubjectAccessReview: ${name}`, method: "POST", path, body, ...more };
}

function local(name: string, spec: JsonObject, metadata: JsonObject = { namespace: home }): Case {
  const body = { apiVersion: authorization, kind: "LocalSubjectAccessReview", metadata, spec };
  const path = `/apis/${authorization}/namespaces/${home}/localsubjectaccessreviews`;
  return { name: `LocalSubjectAccessReview: ${name}`, method: "POST", path, body };
}

function rules(name: string, spec: JsonObject, more: Partial<Case> = {}): Case {
  const body = { apiVersion: authorization, kind: "SelfSubjectRulesReview", spec };
  const path = `/apis/${authorization}/selfsubjectrulesreviews`;
  return { name: `SelfSubjectRulesReview: ${name}`, method: "POST", path, body, ...more };
}

function self(name: string, more: Partial<Case>): Case {
  const body = { apiVersion: authentication, kind: "SelfSubjectReview", metadata: { name: "me" } };
  const path = `/apis/${authentication}/selfsubjectreviews`;
  return { name: `SelfSubjectReview: ${name}`, method: "POST", path, body, ...more };
}

function token(name: string, spec: JsonObject, more: { readonly of?: string; readonly body?: JsonObject } = {}): Case {
  const { of = "robot", body = {} } = more;
  return {
    name: `TokenRequest: ${name}`,
    method: "POST",
    path: `/api/v1/namespaces/${home}/serviceaccounts/${of}/token`,
    body: { apiVersion: authentication, kind: "TokenRequest", ...body, spec },
  };
}

const pods = (more: JsonObject = {}): { readonly [name: string]: Json } => ({ verb: "get", resource: "pods", ...more });
const bound = (kind: string, name: string, more: JsonObject = {}) => ({
  boundObjectRef: { kind, apiVersion: "v1", name, ...more },
});

/** Reviews of all kinds, good and bad, and requests for tokens. */
export const reviewCases: readonly Case[] = [
  tokenReview("a token that nobody knows", { token: "bad" }),
  tokenReview("no token", {}),
  tokenReview("a good one", { token: "$robot" }),
  tokenReview("metadata is given back", { token: "bad" }, { name: "x", namespace: "y", labels: { a: "b" } }),
  tokenReview("for others", { token: "$robot", audiences: ["a", "b"] }),
  tokenReview("a token cut short", { token: "a.b" }),
  access("nothing allows it", { user: "joe", resourceAttributes: pods({ namespace: home }) }),
  access("a master", { user: "joe", groups: ["system:masters"], resourceAttributes: pods() }),
  access("a path", {
    user: "joe",
    groups: ["system:authenticated"],
    nonResourceAttributes: { verb: "get", path: "/api/v1" },
  }),
  access("by a RoleBinding", { user: "viewer", resourceAttributes: pods({ namespace: home }) }),
  access("not in another namespace", { user: "viewer", resourceAttributes: pods({ namespace: "default" }) }),
  access("by name", {
    user: "reader",
    resourceAttributes: { verb: "get", resource: "secrets", name: "bound", namespace: home },
  }),
  access("by another name", {
    user: "reader",
    resourceAttributes: { verb: "get", resource: "secrets", name: "other", namespace: home },
  }),
  access("by a group", {
    groups: ["readers"],
    resourceAttributes: { verb: "get", resource: "secrets", name: "bound", namespace: home },
  }),
  access("a service account of the namespace of the binding", {
    user: `system:serviceaccount:${home}:robot`,
    resourceAttributes: { verb: "get", resource: "secrets", name: "bound", namespace: home },
  }),
  access("a service account with a namespace", {
    user: `system:serviceaccount:${home}:other`,
    resourceAttributes: pods({ namespace: home }),
  }),
  access("a part of any resource", {
    user: "writer",
    resourceAttributes: { verb: "get", group: "apps", resource: "deployments", subresource: "scale" },
  }),
  access("a path below", { user: "writer", nonResourceAttributes: { verb: "get", path: "/x/y/z" } }),
  access("a path beside", { user: "writer", nonResourceAttributes: { verb: "get", path: "/xy" } }),
  access("a role that is missing", { user: "lost", resourceAttributes: pods({ namespace: home }) }),
  access("empty", {}),
  access("without attributes", { user: "joe" }),
  access("without a user", { resourceAttributes: pods() }),
  access("both kinds of attributes", {
    user: "joe",
    resourceAttributes: pods(),
    nonResourceAttributes: { verb: "get", path: "/x" },
  }),
  access("a field selector twice", {
    user: "joe",
    resourceAttributes: pods({
      fieldSelector: { rawSelector: "a=b", requirements: [{ key: "x", operator: "In", values: ["v"] }] },
    }),
  }),
  access("an empty label selector", { user: "joe", resourceAttributes: pods({ labelSelector: {} }) }),
  access("a raw selector", { user: "joe", resourceAttributes: pods({ fieldSelector: { rawSelector: "a=b" } }) }),
  access("a namespace does not count", { user: "joe", resourceAttributes: pods() }, { namespace: "x" }),
  own("the administrator", { resourceAttributes: pods() }),
  own("somebody", { resourceAttributes: pods() }, as("joe")),
  own("a path", { nonResourceAttributes: { verb: "get", path: "/apis/x" } }, as("joe")),
  own("empty", {}, as("joe")),
  own("nothing at all", undefined, as("joe")),
  local("another user", { user: "viewer", resourceAttributes: pods({ namespace: home }) }),
  local("without a namespace", { user: "joe", resourceAttributes: pods() }),
  local("for another namespace", { user: "joe", resourceAttributes: pods({ namespace: "x" }) }),
  local("from another namespace", { user: "joe", resourceAttributes: pods({ namespace: home }) }, { namespace: "x" }),
  local("a path", { user: "joe", nonResourceAttributes: { verb: "get", path: "/x" } }),
  rules("nobody in particular", { namespace: home }, as("joe")),
  rules("by bindings", { namespace: home }, as("reader", "readers")),
  rules("of the administrator", { namespace: home }),
  rules("a role that is missing", { namespace: home }, as("lost")),
  rules("without a namespace", {}, as("joe")),
  self("somebody", as("joe", "a", "b")),
  self("a service account", { by: "robot" }),
  self("more about somebody", {
    headers: {
      "impersonate-user": "joe",
      "impersonate-uid": "7",
      "impersonate-extra-scopes": "x",
      "impersonate-extra-acme.com%2Fproject": "y",
    },
  }),
  token("for the server itself", {}),
  token("for others", { audiences: ["x", "y"], expirationSeconds: 7200 }),
  token("bound to a Secret", bound("Secret", "bound")),
  token("bound to a Pod", bound("Pod", "pod")),
  token("bound to a Node", bound("Node", "auth-record")),
  token("too short", { expirationSeconds: 599 }),
  token("too long", { expirationSeconds: 5_000_000_000 }),
  token("bound to an unknown kind", bound("Foo", "x")),
  token("bound to a Secret that is not there", bound("Secret", "x")),
  token("bound to a Pod that is not there", bound("Pod", "x")),
  token("bound to a Node that is not there", bound("Node", "x")),
  token("bound to nothing by name", bound("Secret", "")),
  token("bound to an earlier Secret", bound("Secret", "bound", { uid: "x" })),
  token("bound to an earlier Pod", bound("Pod", "pod", { uid: "x" })),
  token("bound to the Pod of another account", bound("Pod", "pod"), { of: "other" }),
  token("of an account that is not there", {}, { of: "nobody" }),
  token("under another name", {}, { body: { metadata: { name: "x" } } }),
  token("in another namespace", {}, { body: { metadata: { namespace: "x" } } }),
];
