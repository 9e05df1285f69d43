import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Clock, describeError } from "#base";
import type { Client } from "#client";
import { ensureCertificateSecret } from "#control";
import { kindOf, parseUrl } from "#machinery";
import { type WebhookReach, webhookConfigurations, webhooks } from "#webhooks";
import { UnreadableFileError, UsageError } from "../errors.ts";
import { install, type Installed } from "./installed.ts";
import { keyOf, webhookSecretOption } from "./webhook-flags.ts";

/** The flags about registering webhooks, as commander hands them over. */
export interface InstallWebhookFlags {
  readonly webhooks?: boolean;
  readonly webhookUrl?: string;
  readonly webhookService?: string;
  readonly webhookCaFile?: string;
  readonly webhookSecret: string;
}

type Address = WebhookReach["at"];

/** Adds the flags of install about webhooks. */
export function addInstallWebhookFlags(command: Command): Command {
  return command
    .option("--webhooks", "have the server ask managers about every write, as it asks those of Cluster API")
    .option("--webhook-url <url>", "where the server reaches a manager; https://127.0.0.1:9443 unless told")
    .option("--webhook-service <namespace/name[:port]>", "the Service through which it reaches managers instead")
    .option("--webhook-ca-file <file>", "who signed the certificate that managers get with --webhook-cert-dir")
    .addOption(webhookSecretOption());
}

/** Registers the webhooks, or brings those that are registered up to date. */
export async function installWebhooks(
  client: Client,
  flags: InstallWebhookFlags,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Installed[]> {
  const at = addressOf(flags);
  const secret = keyOf("--webhook-secret", flags.webhookSecret);
  const names = namesOf(at);
  const authority =
    flags.webhookCaFile === undefined
      ? (await ensureCertificateSecret({ client, clock, secret, names }, { signal })).authority
      : await textOf(flags.webhookCaFile);
  const installed: Installed[] = [];
  for (const configuration of webhookConfigurations(webhooks, { at, authority })) {
    installed.push(await install(client, kindOf(configuration), configuration, { signal }));
  }
  return installed;
}

/** Refuses flags that do not go together, before anything is changed. */
export function addressOf({ webhookUrl, webhookService }: InstallWebhookFlags): Address {
  if (webhookUrl !== undefined && webhookService !== undefined) {
    throw new UsageError("--webhook-url and --webhook-service exclude each other");
  }
  if (webhookService === undefined) return { kind: "url", url: checkedUrl(webhookUrl ?? "https://127.0.0.1:9443") };
  const [, key, port = "443"] = /^([^:]*)(?::([1-9]\d{0,4}))?$/.exec(webhookService) ?? [];
  if (key === undefined || Number(port) > 65_535) {
    throw new UsageError(`--webhook-service takes namespace/name[:port], not ${webhookService}`);
  }
  return { kind: "service", ...keyOf("--webhook-service", key), port: Number(port) };
}

/** Under which names the server will look for a manager. */
function namesOf(at: Address): readonly string[] {
  if (at.kind === "service") return [`${at.name}.${at.namespace}.svc`];
  return [new URL(at.url).hostname.replace(/^\[(.*)\]$/, "$1")];
}

function checkedUrl(text: string): string {
  const refuse = () => new UsageError(`--webhook-url takes a URL such as https://10.0.0.7:9443, not ${text}`);
  if (parseUrl(text).kind === "none" || !URL.canParse(text)) throw refuse();
  const { protocol, pathname, search, hash, username, origin } = new URL(text);
  if (protocol !== "https:" || pathname !== "/" || search + hash + username !== "") throw refuse();
  return origin;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UnreadableFileError(`cannot read ${file}: ${describeError(error)}`);
  }
}
