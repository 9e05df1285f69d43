import { type Kind, type KubeObject } from "#machinery";
import type { Webhook } from "./webhook.ts";

/** How an API server reaches the webhooks, and whom it has to trust for them. */
export interface WebhookReach {
  readonly at:
    | { readonly kind: "url"; /** Without a path. */ readonly url: string }
    | { readonly kind: "service"; readonly namespace: string; readonly name: string; readonly port: number };
  /** PEM. */
  readonly authority: string;
}

/** What a webhook does: it changes what is written, or has a say in it. */
export type WebhookAct = "mutate" | "validate";

/** Cluster API also asks about these when they are deleted. */
const alsoDeleted = new Set(["Cluster", "ClusterClass", "IPAddress", "IPAddressClaim"]);

/** Under which path a webhook is served, as in Cluster API: `/mutate-cluster-x-k8s-io-v1beta2-machine`. */
export function webhookPath(act: WebhookAct, { group, version, kind }: Kind): string {
  return `/${act}-${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}

/** The name of a webhook, as in Cluster API: `validation.machine.cluster.x-k8s.io`. */
export function webhookName(act: WebhookAct, { group, kind }: Kind): string {
  if (act === "validate") return `validation.${kind.toLowerCase()}.${group}`;
  // An oddity of Cluster API's that people search for.
  if (kind === "ExtensionConfig") return "default.extensionconfig.runtime.addons.cluster.x-k8s.io";
  return `default.${kind.toLowerCase()}.${group}`;
}

/** Tells an API server to ask the webhooks: what to apply there. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  reach: WebhookReach,
): readonly [mutating: KubeObject, validating: KubeObject] {
  const mutating = webhooks.filter((webhook) => webhook.fillIn !== undefined);
  return [
    configuration("Mutating", mutating.map(({ kind }) => registered("mutate", kind, reach)).toSorted(byName)),
    configuration("Validating", webhooks.map(({ kind }) => registered("validate", kind, reach)).toSorted(byName)),
  ];
}

interface RegisteredWebhook {
  readonly name: string;
  readonly [field: string]: unknown;
}

function configuration(what: "Mutating" | "Validating", webhooks: readonly RegisteredWebhook[]): KubeObject {
  const kind = `${what}WebhookConfiguration`;
  const name = `capstan-${what.toLowerCase()}-webhook-configuration`;
  const object = { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, webhooks };
  return object;
}

function registered(act: WebhookAct, kind: Kind, reach: WebhookReach): RegisteredWebhook {
  const { group, version, resource } = kind.resource;
  const deletes = act === "validate" && alsoDeleted.has(kind.kind) ? ["DELETE"] : [];
  return {
    name: webhookName(act, kind),
    admissionReviewVersions: ["v1"],
    clientConfig: { ...addressOf(reach, webhookPath(act, kind)), caBundle: base64(reach.authority) },
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        resources: [resource],
        operations: ["CREATE", "UPDATE", ...deletes],
      },
    ],
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: 10,
  };
}

function addressOf({ at }: WebhookReach, path: string): object {
  if (at.kind === "url") return { url: `${at.url}${path}` };
  const { namespace, name, port } = at;
  return { service: { namespace, name, port, path } };
}

function byName(one: RegisteredWebhook, other: RegisteredWebhook): number {
  return one.name < other.name ? -1 : 1;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
