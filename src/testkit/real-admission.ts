import { createLogger, milliseconds, systemClock } from "#base";
import type { Client } from "#client";
import { type AdmissionWebhook, certificateSecret, ensureCertificateSecret, type WebhookServing } from "#control";
import { keyOf, kindOf, type KubeObject } from "#machinery";
import { type Lookups, servedWebhooks, type Webhook, webhookConfigurations } from "#webhooks";

/** What is asked about writes in a world. */
export interface WorldAdmission {
  readonly webhooks: readonly Webhook[];
  readonly lookups: Lookups;
}

interface Surroundings {
  readonly client: Client;
  readonly namespace: string;
}

const host = "127.0.0.1";
const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" } as const;
/** Reviews under these paths alone say that the server has begun to ask: a server tells the same warning only once. */
const probes = ["/probe-MutatingWebhookConfiguration", "/probe-ValidatingWebhookConfiguration"] as const;

/** What the manager of a world on a real server serves, as `capstan manager` does. */
export function servingFor({ webhooks, lookups }: WorldAdmission, { client, namespace }: Surroundings): WebhookServing {
  const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr });
  const certificate = certificateSecret({
    client,
    clock: systemClock,
    log,
    secret: secretIn(namespace),
    names: [host],
  });
  const answering = probes.map((path): AdmissionWebhook => ({
    path,
    review: () => Promise.resolve({ kind: "allowed", warnings: [path] }),
  }));
  return { host, port: 0, certificate, webhooks: [...servedWebhooks(webhooks, lookups), ...answering] };
}

/** Has the server ask about writes to the namespace of the world; resolves when it does. */
export async function registerAdmission(
  { webhooks }: WorldAdmission,
  { client, namespace, port }: Surroundings & { readonly port: number },
): Promise<AsyncDisposable> {
  const secret = secretIn(namespace);
  const { authority } = await ensureCertificateSecret({ client, clock: systemClock, secret, names: [host] });
  const at = { kind: "url", url: `https://${host}:${port}` } as const;
  const caBundle = Buffer.from(authority).toString("base64");
  const configurations = webhookConfigurations(webhooks, { at, authority }).map((configuration) =>
    within(namespace, configuration, { url: `${at.url}/probe-${configuration.kind}`, caBundle }),
  );
  for (const configuration of configurations) await client.create(kindOf(configuration), configuration);
  while (!(await isAsking(client, namespace))) await systemClock.sleep(milliseconds(20));
  return {
    async [Symbol.asyncDispose]() {
      for (const configuration of configurations) await client.delete(kindOf(configuration), keyOf(configuration));
    },
  };
}

/** The same configuration for one namespace alone, with something to see by that it is in force. */
function within(namespace: string, configuration: KubeObject, clientConfig: object): KubeObject {
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
  const given: unknown = configuration["webhooks"];
  const webhooks = (Array.isArray(given) ? given : []).map((webhook: object) => ({ ...webhook, namespaceSelector }));
  const probing = {
    name: "probe.capstan.dev",
    admissionReviewVersions: ["v1"],
    clientConfig,
    namespaceSelector,
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
    sideEffects: "None",
  };
  const name = `${configuration.metadata.name ?? ""}-${namespace}`;
  return { ...configuration, metadata: { name }, webhooks: [...webhooks, probing] };
}

async function isAsking(client: Client, namespace: string): Promise<boolean> {
  const warnings: string[] = [];
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "probe" } };
  await client.create(ConfigMap, object, { dryRun: true, onWarning: (text) => warnings.push(text) });
  return probes.every((path) => warnings.includes(path));
}

function secretIn(namespace: string): { readonly namespace: string; readonly name: string } {
  return { namespace, name: "webhooks" };
}
