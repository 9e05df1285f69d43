import { homedir } from "node:os";
import { systemClock } from "#base";
import { createClient, createHttpTransport, loadConnection } from "#client";
import { UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { installKinds } from "../plane/install-kinds.ts";
import {
  addInstallWebhookFlags,
  addressOf,
  type InstallWebhookFlags,
  installWebhooks,
} from "../plane/install-webhooks.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

interface InstallOptions extends InstallWebhookFlags {
  readonly kubeconfig?: string;
}

/** Adds `capstan install`. */
export const addInstall: AddCommand = (program, terminal) => {
  const command = program
    .command("install")
    .description("put the Cluster API kinds into an API server, or bring those that are there up to date")
    .option("--kubeconfig <file>", "how the server is reached; as kubectl finds it unless told");
  addInstallWebhookFlags(command)
    .addHelpText(
      "after",
      example(
        "capstan install --kubeconfig ~/.kube/config",
        "capstan install --webhooks --webhook-service capstan-system/capstan-webhook-service",
      ),
    )
    .action(async (options: InstallOptions) => {
      refuseLoneFlags(options);
      await untilStopped((stop) => putIn(options, terminal, stop));
    });
};

async function putIn(options: InstallOptions, terminal: Terminal, { signal }: AbortController): Promise<void> {
  const { kubeconfig, webhooks = false } = options;
  const connection = await loadConnection({
    environment: process.env,
    home: homedir(),
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
  });
  using transport = createHttpTransport(connection, { userAgent: "capstan-install" });
  const client = createClient(transport, { fieldOwner: "capstan-install" });
  for (const { name, change } of await installKinds(client, { signal })) terminal.write(`${name} ${change}\n`);
  if (!webhooks) return;
  const registered = await installWebhooks(client, options, { clock: systemClock, signal });
  for (const { name, change } of registered) terminal.write(`${name} ${change}\n`);
}

/** Whoever says how webhooks are reached and not that they are wanted would believe them registered. */
function refuseLoneFlags(options: InstallOptions): void {
  const { webhooks = false, webhookUrl, webhookService, webhookCaFile } = options;
  const given = [webhookUrl, webhookService, webhookCaFile].some((value) => value !== undefined);
  if (given && !webhooks)
    throw new UsageError("--webhook-url, --webhook-service and --webhook-ca-file need --webhooks");
  addressOf(options);
}
