import { casesOf } from "./case.ts";

const group = "rbac.authorization.k8s.io";

export const serviceAccountCases = casesOf(
  "serviceaccounts",
  {},
  {
    "a plain one": {},
    "secrets and a switch": { secrets: [{ name: "s" }], imagePullSecrets: [{}], automountServiceAccountToken: false },
    "a bad name": { metadata: { name: "A" } },
    "secrets of the wrong type": { secrets: "s" },
    "secrets change": { from: {}, to: { secrets: [{ name: "a", namespace: "b" }] } },
  },
);

export const roleCases = casesOf(
  "roles.rbac.authorization.k8s.io",
  {},
  {
    "no rules": {},
    "an empty list of rules": { rules: [] },
    "a good rule": { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    "an empty rule": { rules: [{}] },
    "a rule about URLs": { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] },
    "a rule about both": { rules: [{ nonResourceURLs: ["/x"], resources: ["pods"], apiGroups: [""], verbs: [] }] },
    "a name with a colon": { metadata: { name: "system:X_y" } },
    "a name with a percent sign": { metadata: { name: "a%b" } },
    "rules change": { from: {}, to: { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] } },
    "rules become bad": { from: {}, to: { rules: [{ verbs: ["get"] }] } },
  },
);

export const clusterRoleCases = casesOf(
  "clusterroles.rbac.authorization.k8s.io",
  {},
  {
    "a rule about URLs": { rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }] },
    "a rule about both": { rules: [{ nonResourceURLs: ["/x"], resources: ["pods"], verbs: ["get"] }] },
    "aggregation of nothing": { aggregationRule: {} },
    "aggregation by a bad selector": {
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { "a b": "c" } },
          { matchExpressions: [{ key: "a", operator: "Like", values: [] }] },
        ],
      },
    },
    aggregation: { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
  },
);

const toRole = { roleRef: { apiGroup: group, kind: "Role", name: "r" } };

export const roleBindingCases = casesOf("rolebindings.rbac.authorization.k8s.io", toRole, {
  nobody: {},
  everybody: {
    subjects: [
      { kind: "User", name: "u" },
      { kind: "Group", name: "g", apiGroup: group },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
      { kind: "ServiceAccount", name: "s" },
    ],
  },
  "no group given": { roleRef: { apiGroup: null } },
  "another group": { roleRef: { apiGroup: "x" } },
  "nothing referred to": { roleRef: { kind: null, name: null } },
  "a bad name referred to": { roleRef: { name: "a/b" } },
  "bad subjects": {
    subjects: [
      { kind: "Robot", name: "r" },
      { kind: "User" },
      { kind: "User", name: "u", apiGroup: "x" },
      { kind: "ServiceAccount", name: "A b", apiGroup: "x" },
    ],
  },
  "subjects change": { from: {}, to: { subjects: [{ kind: "User", name: "u" }] } },
  "the role changes": { from: {}, to: { roleRef: { name: "other" } } },
});

export const clusterRoleBindingCases = casesOf(
  "clusterrolebindings.rbac.authorization.k8s.io",
  { roleRef: { kind: "ClusterRole", name: "view" } },
  {
    nobody: {},
    "a role of a namespace": { roleRef: { kind: "Role" } },
    "an account of no namespace": { subjects: [{ kind: "ServiceAccount", name: "s" }] },
    "the role changes": { from: {}, to: { roleRef: { name: "edit" } } },
  },
);

const hook = {
  name: "a.example.com",
  clientConfig: { url: "https://127.0.0.1:1/x" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: [{ apiGroups: ["nobody.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
};
const withService = (service: object) => ({ ...hook, clientConfig: { service: { ...service } } });

const webhookCases = {
  none: {},
  "a good one": { webhooks: [hook] },
  "a service": { webhooks: [withService({ namespace: "n", name: "s", path: "/a/b" })] },
  "nothing said": { webhooks: [{}] },
  "bad names": { webhooks: [{ ...hook, name: "a.b" }, { ...hook, name: "A.b.c" }, hook, hook] },
  "bad words": {
    webhooks: [
      {
        ...hook,
        failurePolicy: "Maybe",
        matchPolicy: "Roughly",
        sideEffects: "Some",
        timeoutSeconds: 31,
        namespaceSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
        objectSelector: { matchLabels: { a: "b c" } },
      },
    ],
  },
  "no time": { webhooks: [{ ...hook, timeoutSeconds: 0 }] },
  "bad versions": { webhooks: [{ ...hook, admissionReviewVersions: ["v2", "v2", "1"] }] },
  "both addresses": {
    webhooks: [{ ...hook, clientConfig: { url: "https://a", service: { name: "a", namespace: "b" } } }],
  },
  "a bad address": { webhooks: [{ ...hook, clientConfig: { url: "http://u:p@a/b?c=d#e" } }] },
  "no host": { webhooks: [{ ...hook, clientConfig: { url: "https:///a" } }] },
  "no service": { webhooks: [withService({})] },
  "a service without a namespace": { webhooks: [withService({ name: "s" })] },
  "a bad path and port": { webhooks: [withService({ namespace: "n", name: "s", path: "a//B/", port: 70_000 })] },
  "bad rules": {
    webhooks: [
      {
        ...hook,
        rules: [
          {},
          {
            apiGroups: ["*", "a"],
            apiVersions: ["*", ""],
            operations: ["*", "READ"],
            resources: ["*", "a", "a/*", "a/b", "*/c", "d/c", "", "*/*"],
            scope: "Some",
          },
        ],
      },
    ],
  },
  "bad conditions": {
    webhooks: [
      {
        ...hook,
        matchConditions: [
          {},
          { name: "a b", expression: "true" },
          { name: "c", expression: "true" },
          { name: "c", expression: "true" },
        ],
      },
    ],
  },
  "becomes bad": { from: { webhooks: [hook] }, to: { webhooks: [{ ...hook, name: "a" }] } },
};

export const validatingWebhookCases = casesOf(
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  {},
  webhookCases,
);

export const mutatingWebhookCases = casesOf(
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  {},
  {
    ...webhookCases,
    "a bad way to be asked again": { webhooks: [{ ...hook, reinvocationPolicy: "Always" }] },
  },
);

const budget = { spec: { selector: { matchLabels: { a: "b" } } } };

export const budgetCases = casesOf("poddisruptionbudgets.policy", budget, {
  "a share": { spec: { minAvailable: "50%" } },
  "a number": { spec: { maxUnavailable: 0 } },
  both: { spec: { maxUnavailable: 1, minAvailable: 2 } },
  neither: {},
  "below nothing": { spec: { maxUnavailable: -1 } },
  "more than all": { spec: { maxUnavailable: "101%" } },
  "no share": { spec: { minAvailable: "half" } },
  "a bad selector": { spec: { selector: { matchLabels: { "a b": "c" } } } },
  "an unknown policy": { spec: { unhealthyPodEvictionPolicy: "Never" } },
  changes: { from: { spec: { minAvailable: 1 } }, to: { spec: { minAvailable: 2 } } },
});
