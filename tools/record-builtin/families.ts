import type { Case } from "./case.ts";
import { definitionCases } from "./crd-cases.ts";
import { configMapCases, leaseCases, namespaceCases, secretCases } from "./engine-cases.ts";
import { eventCases, newEventCases } from "./event-cases.ts";
import {
  budgetCases,
  clusterRoleBindingCases,
  clusterRoleCases,
  mutatingWebhookCases,
  roleBindingCases,
  roleCases,
  serviceAccountCases,
  validatingWebhookCases,
} from "./guard-cases.ts";
import { inertCases } from "./inert-cases.ts";
import { printCases } from "./print-cases.ts";
import { frozenCases, requiredCases } from "./required-cases.ts";
import { badWorkloadCases, deploymentCases, otherWorkloadCases, podCases, serviceCases } from "./workload-cases.ts";

/** The cases by the fixture that keeps them. */
export const families: Readonly<Record<string, readonly Case[]>> = {
  namespaces: namespaceCases,
  configmaps: configMapCases,
  secrets: secretCases,
  leases: leaseCases,
  events: eventCases,
  "new-events": newEventCases,
  definitions: definitionCases,
  serviceaccounts: serviceAccountCases,
  roles: roleCases,
  clusterroles: clusterRoleCases,
  rolebindings: roleBindingCases,
  clusterrolebindings: clusterRoleBindingCases,
  "validating-webhooks": validatingWebhookCases,
  "mutating-webhooks": mutatingWebhookCases,
  budgets: budgetCases,
  pods: podCases,
  deployments: deploymentCases,
  "other-workloads": otherWorkloadCases,
  services: serviceCases,
  "bad-workloads": badWorkloadCases,
  inert: inertCases,
  print: printCases,
  required: requiredCases,
  frozen: frozenCases,
};
