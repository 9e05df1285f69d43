import type { JsonObject } from "#machinery";
import { as, type Case, home } from "./case.ts";

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;
const inHome = `/apis/${apiVersion}/namespaces/${home}`;
const everywhere = `/apis/${apiVersion}`;

function role(name: string, rules: readonly JsonObject[], who = as("writer")): Case {
  const body = { apiVersion, kind: "Role", metadata: { name: "attempt", namespace: home }, rules };
  return { name, method: "POST", path: `${inHome}/roles`, body, ...who };
}

function clusterRole(name: string, content: JsonObject, who = as("writer")): Case {
  const body = { apiVersion, kind: "ClusterRole", metadata: { name: "auth-record-attempt" }, ...content };
  return { name, method: "POST", path: `${everywhere}/clusterroles`, body, ...who };
}

function binding(name: string, roleRef: JsonObject, who = as("writer")): Case {
  const kind = "RoleBinding";
  const subjects = [{ apiGroup: group, kind: "User", name: "writer" }];
  const body = {
    apiVersion,
    kind,
    metadata: { name: "attempt", namespace: home },
    roleRef: { apiGroup: group, ...roleRef },
    subjects,
  };
  return { name, method: "POST", path: `${inHome}/rolebindings`, body, ...who };
}

function clusterBinding(name: string, to: string, who = as("writer")): Case {
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: to };
  const body = {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name: "auth-record-attempt" },
    roleRef,
    subjects: [],
  };
  return { name, method: "POST", path: `${everywhere}/clusterrolebindings`, body, ...who };
}

function patch(name: string, path: string, body: JsonObject, who = as("writer")): Case {
  return { name, method: "PATCH", path, body, ...who };
}

const secrets = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
const configMaps = { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] };

/** Attempts to give away what one may not do oneself. */
export const escalationCases: readonly Case[] = [
  role("what is held", [configMaps]),
  role("a part of what is held", [{ ...configMaps, resourceNames: ["a"] }]),
  role("nothing", []),
  role("some of it", [{ apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get", "delete"] }]),
  role("with names", [
    { apiGroups: ["", "apps"], resources: ["pods", "deployments/scale"], verbs: ["get"], resourceNames: ["a", "b"] },
  ]),
  role("a part of any resource", [{ apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get"] }]),
  role("everything", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]),
  role("in groups", [secrets], as("writer", "a", "b")),
  role("with a role that is missing", [secrets], as("writer-lost")),
  role("an invalid one", [{ ...secrets, resources: [] }, secrets]),
  clusterRole("paths", { rules: [{ nonResourceURLs: ["/x/y", "/x/*", "/y"], verbs: ["get", "post"] }] }),
  clusterRole("the master's", { rules: [{ nonResourceURLs: ["*"], verbs: ["*"] }] }),
  clusterRole("an aggregation", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
  clusterRole("by who may escalate", { rules: [secrets] }, as("binder")),
  binding("a role that is held", { kind: "ClusterRole", name: "auth-record-rbac-writer" }),
  binding("a role that is not", { kind: "Role", name: "strong" }),
  binding("a cluster role that is not", { kind: "ClusterRole", name: "auth-record-big" }),
  binding("a role that is missing", { kind: "Role", name: "missing" }),
  clusterBinding("everywhere", "auth-record-big"),
  clusterBinding("everywhere, and missing", "auth-record-missing"),
  clusterBinding("by who may bind", "auth-record-big", as("binder")),
  clusterBinding("by who may bind another", "cluster-admin", as("binder")),
  patch("a label of a role that is not held", `${inHome}/roles/strong`, { metadata: { labels: { a: "b" } } }),
  patch("a finalizer of it", `${inHome}/roles/strong`, { metadata: { finalizers: ["example.com/x"] } }),
  patch("the end of that finalizer", `${inHome}/roles/strong`, { metadata: { finalizers: null } }),
  patch("less of it", `${inHome}/roles/strong`, { rules: [configMaps] }),
  patch("a label of a binding", `${inHome}/rolebindings/reader`, { metadata: { labels: { a: "b" } } }),
  patch("subjects of a binding", `${inHome}/rolebindings/reader`, { subjects: [] }),
  patch("a label of an aggregation", `${everywhere}/clusterroles/auth-record-aggregated`, {
    metadata: { labels: { a: "b" } },
  }),
  patch("the end of an aggregation", `${everywhere}/clusterroles/auth-record-aggregated`, { aggregationRule: null }),
];
