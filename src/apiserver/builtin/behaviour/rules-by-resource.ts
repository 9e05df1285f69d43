import { cronJob, job } from "./batch.ts";
import { configMap } from "./config-map.ts";
import { customResourceDefinition } from "./custom-resource-definition.ts";
import { coreEvent, newEvent } from "./event.ts";
import { inertRules } from "./inert.ts";
import type { KindRules } from "./kind-rules.ts";
import { lease } from "./lease.ts";
import { namespace } from "./namespace.ts";
import { pod } from "./pod.ts";
import { podDisruptionBudget } from "./pod-disruption-budget.ts";
import { clusterRole, clusterRoleBinding, role, roleBinding } from "./rbac.ts";
import { secret } from "./secret.ts";
import { storageRules } from "./storage.ts";
import { service } from "./service.ts";
import { serviceAccount } from "./service-account.ts";
import { webhookConfiguration } from "./webhook-configuration.ts";
import { daemonSet, deployment, replicaSet, statefulSet } from "./workload.ts";

/** The hand-written rules, by resource and group; a kind that has none is an ordinary one. */
export const rulesByResource: Readonly<Record<string, KindRules>> = {
  ...inertRules,
  ...storageRules,
  namespaces: namespace,
  secrets: secret,
  configmaps: configMap,
  events: coreEvent,
  "events.events.k8s.io": newEvent,
  "leases.coordination.k8s.io": lease,
  "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinition,
  "roles.rbac.authorization.k8s.io": role,
  "clusterroles.rbac.authorization.k8s.io": clusterRole,
  "rolebindings.rbac.authorization.k8s.io": roleBinding,
  "clusterrolebindings.rbac.authorization.k8s.io": clusterRoleBinding,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": webhookConfiguration,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": webhookConfiguration,
  "poddisruptionbudgets.policy": podDisruptionBudget,
  serviceaccounts: serviceAccount,
  services: service,
  pods: pod,
  "deployments.apps": deployment,
  "replicasets.apps": replicaSet,
  "statefulsets.apps": statefulSet,
  "daemonsets.apps": daemonSet,
  "jobs.batch": job,
  "cronjobs.batch": cronJob,
};
