import type { Webhook } from "./webhook.ts";
import { clusterClassWebhook } from "./cluster-class/cluster-class.ts";
import { clusterResourceSetWebhook } from "./cluster-resource-set.ts";
import { clusterWebhook } from "./cluster/cluster.ts";
import { extensionConfigWebhook } from "./extension-config.ts";
import { machineDeploymentWebhook } from "./machine-deployment.ts";
import { machineHealthCheckWebhook } from "./machine-health-check.ts";
import { machinePoolWebhook } from "./machine-pool.ts";
import { machineSetWebhook } from "./machine-set.ts";
import { machineWebhook } from "./machine.ts";

export { type Admission, admissionFor, type Write } from "./admission.ts";
export {
  clusterClassWebhook,
  clusterResourceSetWebhook,
  clusterWebhook,
  extensionConfigWebhook,
  machineDeploymentWebhook,
  machineHealthCheckWebhook,
  machinePoolWebhook,
  machineSetWebhook,
  machineWebhook,
};
export type { Lookups, VariableRules } from "./lookups.ts";
export { type WebhookReach, webhookConfigurations } from "./registration.ts";
export { review, type Review } from "./review.ts";
export { servedWebhooks } from "./served.ts";
export { type Defaulted, defineWebhook, type Incoming, type Incomplete, type Webhook } from "./webhook.ts";

/** All webhooks. */
export const webhooks: readonly Webhook[] = [
  clusterWebhook,
  clusterClassWebhook,
  machineWebhook,
  machineSetWebhook,
  machineDeploymentWebhook,
  machinePoolWebhook,
  machineHealthCheckWebhook,
  extensionConfigWebhook,
  clusterResourceSetWebhook,
];
