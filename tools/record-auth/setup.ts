import type { JsonObject } from "#machinery";
import { home } from "./case.ts";

const rbac = "rbac.authorization.k8s.io";
const apiVersion = `${rbac}/v1`;

/** Objects that the questions are about, in the order in which they are made. */
export const setup: readonly JsonObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: home } },
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: home } },
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "other", namespace: home } },
  { apiVersion: "v1", kind: "Secret", metadata: { name: "bound", namespace: home } },
  { apiVersion: "v1", kind: "Node", metadata: { name: "auth-record" } },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "pod", namespace: home },
    spec: { serviceAccountName: "robot", nodeName: "auth-record", containers: [{ name: "a", image: "b" }] },
  },
  clusterRole("rbac-writer", [
    {
      apiGroups: [rbac],
      resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
      verbs: ["create", "update", "get", "patch", "list"],
    },
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
    { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] },
    { nonResourceURLs: ["/x/*"], verbs: ["get"] },
  ]),
  clusterBinding("rbac-writer", "rbac-writer", user("writer")),
  clusterRole("big", [
    {
      apiGroups: ["", "apps"],
      resources: ["pods", "deployments/scale"],
      verbs: ["get", "delete"],
      resourceNames: ["a", "b"],
    },
    { nonResourceURLs: ["/x/y", "/y/*"], verbs: ["get", "post"] },
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  ]),
  {
    apiVersion,
    kind: "ClusterRole",
    metadata: { name: "auth-record-aggregated" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "auth-record": "no" } }] },
  },
  clusterRole("binder", [
    { apiGroups: [rbac], resources: ["clusterroles"], verbs: ["bind"], resourceNames: ["auth-record-big"] },
    { apiGroups: [rbac], resources: ["clusterroles"], verbs: ["escalate"] },
    { apiGroups: [rbac], resources: ["clusterroles", "clusterrolebindings"], verbs: ["create", "update"] },
  ]),
  clusterBinding("binder", "binder", user("binder")),
  role("reader", [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["bound"] }]),
  role("strong", [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }]),
  binding("reader", { kind: "Role", name: "reader" }, [
    user("reader"),
    { kind: "ServiceAccount", name: "robot" },
    { kind: "Group", apiGroup: rbac, name: "readers" },
  ]),
  binding("viewer", { kind: "ClusterRole", name: "view" }, [
    user("viewer"),
    { kind: "ServiceAccount", name: "other", namespace: home },
  ]),
  binding("strong", { kind: "Role", name: "strong" }, []),
  binding("dangling", { kind: "Role", name: "missing" }, [user("lost")]),
  clusterBinding("dangling", "missing", user("lost"), user("writer-lost")),
  clusterBinding("writer-lost", "rbac-writer", user("writer-lost")),
  clusterRole("impersonator", [{ apiGroups: [""], resources: ["users"], verbs: ["impersonate"] }]),
  clusterBinding("impersonator", "impersonator", { kind: "ServiceAccount", name: "robot", namespace: home }),
];

function clusterRole(name: string, rules: readonly JsonObject[]): JsonObject {
  return { apiVersion, kind: "ClusterRole", metadata: { name: `auth-record-${name}` }, rules };
}

function role(name: string, rules: readonly JsonObject[]): JsonObject {
  return { apiVersion, kind: "Role", metadata: { name, namespace: home }, rules };
}

function clusterBinding(name: string, to: string, ...subjects: readonly JsonObject[]): JsonObject {
  const roleRef = { apiGroup: rbac, kind: "ClusterRole", name: `auth-record-${to}` };
  return { apiVersion, kind: "ClusterRoleBinding", metadata: { name: `auth-record-${name}` }, roleRef, subjects };
}

function binding(name: string, to: JsonObject, subjects: readonly JsonObject[]): JsonObject {
  const roleRef = { apiGroup: rbac, ...to };
  return { apiVersion, kind: "RoleBinding", metadata: { name, namespace: home }, roleRef, subjects };
}

function user(name: string): JsonObject {
  return { kind: "User", apiGroup: rbac, name };
}
