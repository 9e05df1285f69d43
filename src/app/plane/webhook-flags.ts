import { isIP } from "node:net";
import { type Command, Option } from "commander";
import { systemClock, type Logger } from "#base";
import type { Client } from "#client";
import type { FeatureGates } from "#api";
import { certificateFiles, certificateSecret, type CertificateSource, type WebhookServing } from "#control";
import { labelName, type ObjectKey, subdomainName } from "#machinery";
import { servedWebhooks, webhooks } from "#webhooks";
import { UsageError } from "../errors.ts";
import { lookupsFrom } from "./lookups.ts";

/** The flags about serving webhooks, as commander hands them over. */
export interface WebhookFlags {
  readonly webhooks: boolean;
  readonly webhookHost: string;
  readonly webhookPort: string;
  readonly webhookCertDir?: string;
  readonly webhookCertName: string;
  readonly webhookKeyName: string;
  readonly webhookSecret: string;
}

/** The Secret that install and managers share. */
type SecretKey = Required<ObjectKey>;

/** Under these names a manager can be reached on its own machine. */
const loopback = ["localhost", "127.0.0.1", "::1"];

/** The flag that both install and manager have, because they have to agree. */
export function webhookSecretOption(): Option {
  return new Option(
    "--webhook-secret <namespace/name>",
    "where the certificate of the webhooks is kept, and made if it is not there",
  ).default("default/capstan-webhook-certificate");
}

/** Adds the flags of Cluster API's manager about webhooks, with its defaults. */
export function addWebhookFlags(command: Command): Command {
  return command
    .option("--no-webhooks", "serve no admission webhooks")
    .option("--webhook-host <host>", "where admission webhooks are served; 0.0.0.0 is everywhere", "127.0.0.1")
    .option("--webhook-port <number>", "the port of the admission webhooks; 0 takes any that is free", "9443")
    .option("--webhook-cert-dir <folder>", "a certificate of your own, read again when it changes")
    .option("--webhook-cert-name <file>", "the certificate in that folder", "tls.crt")
    .option("--webhook-key-name <file>", "its key", "tls.key")
    .addOption(webhookSecretOption());
}

/** What a manager serves, from its flags; undefined where that is nothing. */
export function webhookServing(
  flags: WebhookFlags,
  tools: { readonly client: Client; readonly log: Logger; readonly features: FeatureGates },
): WebhookServing | undefined {
  if (!flags.webhooks) return undefined;
  const { client, features } = tools;
  return {
    host: flags.webhookHost,
    port: portOf(flags.webhookPort),
    certificate: sourceOf(flags, tools),
    webhooks: servedWebhooks(
      webhooks,
      lookupsFrom(() => client, features),
    ),
  };
}

/** Reads `namespace/name`. */
export function keyOf(flag: string, text: string): SecretKey {
  const [namespace = "", name = "", ...more] = text.split("/");
  const problems = [...labelName.name(namespace), ...subdomainName.name(name)];
  if (problems.length > 0 || more.length > 0) throw new UsageError(`${flag} takes namespace/name, not ${text}`);
  return { namespace, name };
}

function sourceOf(
  flags: WebhookFlags,
  { client, log }: { readonly client: Client; readonly log: Logger },
): CertificateSource {
  const { webhookCertDir: folder, webhookCertName, webhookKeyName, webhookHost, webhookSecret } = flags;
  if (folder !== undefined) {
    const names = { certificateName: webhookCertName, keyName: webhookKeyName };
    return certificateFiles({ folder, ...names, clock: systemClock, log });
  }
  const isSomewhere = isIP(webhookHost) === 0 || !/^[0:.]+$/.test(webhookHost);
  const names = [...new Set([...loopback, ...(isSomewhere ? [webhookHost] : [])])];
  return certificateSecret({
    client,
    clock: systemClock,
    log,
    secret: keyOf("--webhook-secret", webhookSecret),
    names,
  });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new UsageError(`--webhook-port takes a number from 0 to 65535, not ${text}`);
  }
  return port;
}
