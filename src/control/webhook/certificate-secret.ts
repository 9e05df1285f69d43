import { type Clock, hours, type Logger, toError } from "#base";
import type { Client } from "#client";
import { describeKey, fieldAt, isAlreadyExists, isConflict, type KubeObject } from "#machinery";
import { aborted } from "../aborted.ts";
import { WebhookCertificateError } from "../errors.ts";
import { checkedPair } from "./certificate-files.ts";
import type { CertificateSource } from "./serving-certificate.ts";
import {
  makeWebhookCertificate,
  namesMissing,
  renewWebhookCertificate,
  type WebhookCertificate,
} from "./webhook-authority.ts";

/** Which Secret it is, and for which names its certificate has to be good. */
export interface CertificateSecretOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Host names and IP addresses. */
  readonly names: readonly string[];
}

const Secret = { group: "", version: "v1", kind: "Secret" } as const;
// A certificate is renewed in the last third of its year.
const renewalInterval = hours(12);

/** The certificate in a Secret, which all managers of a cluster share; made where there is none, and renewed in time. */
export function certificateSecret(options: CertificateSecretOptions): CertificateSource {
  const { client, clock, log, secret } = options;
  let shown: WebhookCertificate | undefined;
  return {
    async load({ signal }) {
      shown = await kept(options, { signal });
      return shown;
    },
    async follow(onChange, { signal }) {
      await Promise.all([followSecret(onChange, signal), renew(signal)]);
    },
  };

  async function followSecret(onChange: Parameters<CertificateSource["follow"]>[0], signal: AbortSignal) {
    const fieldSelector = `metadata.name=${secret.name}`;
    for await (const event of client.watch(Secret, { namespace: secret.namespace, fieldSelector, signal })) {
      const objects = event.kind === "listed" ? event.objects : event.kind === "deleted" ? [] : [event.object];
      for (const object of objects) {
        try {
          const next = certificateIn(object);
          if (next.certificate === shown?.certificate && next.key === shown.key) continue;
          shown = next;
          onChange(next);
        } catch (error) {
          log.error("the Secret of the webhooks does not hold a certificate any more; the last one stays", error);
        }
      }
    }
  }

  async function renew(signal: AbortSignal): Promise<void> {
    const ending = aborted(signal);
    for (;;) {
      await Promise.race([ending, clock.sleep(renewalInterval, { signal }).catch(() => undefined)]);
      if (signal.aborted) return;
      try {
        // What is renewed comes back through the watch, here and in the other managers. Where it was deleted, another
        // authority would be one that no API server knows.
        if ((await client.find(Secret, secret, { signal })) !== undefined) await kept(options, { signal });
      } catch (error) {
        log.error("the certificate of the webhooks could not be renewed", toError(error));
      }
    }
  }
}

/** The certificate in a Secret, good for all names; made or issued again where it is not. */
export async function ensureCertificateSecret(
  options: Omit<CertificateSecretOptions, "log">,
  calling: { readonly signal?: AbortSignal } = {},
): Promise<WebhookCertificate> {
  const held = await kept(options, calling);
  const missing = namesMissing(held.certificate, options.names);
  if (missing.length === 0) return held;
  const where = `Secret ${describeKey(options.secret)}`;
  const why = "and without ca.key it cannot be issued again";
  throw new WebhookCertificateError(`the certificate in ${where} is not good for ${missing.join(", ")}, ${why}`);
}

/** Reads, makes or renews it. Whoever else does so at the same time gets the same one, because its name is known before the call. */
async function kept(
  { client, clock, secret, names }: Omit<CertificateSecretOptions, "log">,
  { signal }: { readonly signal?: AbortSignal },
): Promise<WebhookCertificate> {
  const calling = signal === undefined ? {} : { signal };
  for (;;) {
    const found = await client.find(Secret, secret, calling);
    const held = found === undefined ? undefined : certificateIn(found);
    const wanted =
      held === undefined
        ? makeWebhookCertificate(names, clock.instant())
        : renewWebhookCertificate(held, names, clock.instant());
    if (wanted === held) return held;
    const { resourceVersion } = found?.metadata ?? {};
    const object = secretWith(wanted, { ...secret, ...(resourceVersion === undefined ? {} : { resourceVersion }) });
    try {
      if (found === undefined) await client.create(Secret, object, calling);
      else await client.update(Secret, object, calling);
      return wanted;
    } catch (error) {
      // Somebody else was first; then theirs is the one.
      if (!isAlreadyExists(error) && !isConflict(error)) throw error;
    }
  }
}

function secretWith(
  { authority, authorityKey = "", certificate, key }: WebhookCertificate,
  metadata: KubeObject["metadata"],
): KubeObject {
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...metadata, labels: { "app.kubernetes.io/managed-by": "capstan" } },
    type: "kubernetes.io/tls",
    data: {
      "ca.crt": base64(authority),
      "ca.key": base64(authorityKey),
      "tls.crt": base64(certificate),
      "tls.key": base64(key),
    },
  };
  return secret;
}

function certificateIn(secret: KubeObject): WebhookCertificate {
  const text = (field: string) => {
    const value = fieldAt(secret, "data", field);
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  };
  const where = `Secret ${describeKey({ name: "", ...secret.metadata })}`;
  const pair = checkedPair({ certificate: text("tls.crt"), key: text("tls.key") }, where);
  const [authority, authorityKey] = [text("ca.crt"), text("ca.key")];
  if (authority === "") throw new WebhookCertificateError(`${where} has no ca.crt`);
  return { ...pair, authority, ...(authorityKey === "" ? {} : { authorityKey }) };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
