import { as, type Case, home } from "./case.ts";

const read = (path: string, more: Partial<Case> = as("joe")): Case => ({
  name: `${more.by ?? ""} GET ${path}`.trim(),
  method: "GET",
  path,
  ...more,
});

/** Things that are not allowed, and a few that are. */
export const refusalCases: readonly Case[] = [
  read(`/api/v1/namespaces/${home}/secrets`),
  read("/api/v1/secrets"),
  read(`/api/v1/namespaces/${home}/secrets/a`),
  read(`/apis/apps/v1/namespaces/${home}/deployments/d/status`),
  read("/metrics"),
  read("/nowhere"),
  read(`/api/v1/namespaces/${home}`),
  read("/api/v1/namespaces/nowhere"),
  read("/apis/apps/v1/deployments?watch=true"),
  read("/apis/example.com/v1/things"),
  read("/api/v1/nodes/n/status"),
  read(`/api/v1/namespaces/${home}/secrets/bound`, as("lost")),
  read(`/api/v1/namespaces/${home}/configmaps`, { by: "robot" }),
  {
    name: "all of a collection",
    method: "DELETE",
    path: `/api/v1/namespaces/${home}/secrets`,
    ...as("joe"),
  },
  { name: "POST to a path", method: "POST", path: "/metrics", body: {}, ...as("joe") },
];

const ask = (name: string, headers: Case["headers"], by?: "robot"): Case => ({
  name,
  method: "POST",
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  ...(headers === undefined ? {} : { headers }),
  ...(by === undefined ? {} : { by }),
});

/** Asking as somebody else. */
export const impersonationCases: readonly Case[] = [
  ask("a user, who is allowed to", { "impersonate-user": "ann" }, "robot"),
  ask("a group, who is not", { "impersonate-user": "ann", "impersonate-group": "g" }, "robot"),
  ask("a uid, who is not", { "impersonate-user": "ann", "impersonate-uid": "7" }, "robot"),
  ask("more about a user, who is not", { "impersonate-user": "ann", "impersonate-extra-a": "b" }, "robot"),
  ask("more with a domain", { "impersonate-user": "ann", "impersonate-extra-acme.com%2Fx": "b" }, "robot"),
  ask("a service account, who is not", { "impersonate-user": "system:serviceaccount:ns:sa" }, "robot"),
  ask("no good service account", { "impersonate-user": "system:serviceaccount:bad" }, "robot"),
  ask("a group without a user", { "impersonate-group": "g" }),
  ask("a uid without a user", { "impersonate-uid": "g" }),
  ask("more without a user", { "impersonate-extra-a": "g" }),
  ask("a service account", { "impersonate-user": "system:serviceaccount:ns:sa" }),
  ask("a service account in a group", {
    "impersonate-user": "system:serviceaccount:ns:sa",
    "impersonate-group": "g",
  }),
  ask("a name with a comma", { "impersonate-user": "Doe, John" }),
  ask("nobody", { "impersonate-user": "system:anonymous" }),
  ask("somebody unknown", { "impersonate-user": "x", "impersonate-group": "system:unauthenticated" }),
  ask("a master", { "impersonate-user": "x", "impersonate-group": ["system:masters", "system:authenticated"] }),
  ask("more that cannot be read", { "impersonate-user": "x", "impersonate-extra-b%zz": "2" }),
];
