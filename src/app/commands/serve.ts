import { readFile } from "node:fs/promises";
import { parseTokenFile, type StaticTokens } from "#apiserver";
import { createLogger, describeError, systemClock } from "#base";
import { UnreadableFileError, UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { tuneEngine } from "../engine.ts";
import { untilAborted, withServer } from "../server.ts";
import { untilStopped } from "../stopping.ts";
import type { Terminal } from "../terminal.ts";
import {
  addWebhookService,
  webhookServiceFlag,
  webhookServiceHelp,
  type WebhookServices,
} from "../webhook-services.ts";
import type { AddCommand } from "./index.ts";

interface ServeOptions {
  readonly data: string;
  readonly port: string;
  readonly tokenAuthFile?: string;
  readonly auditLogPath?: string;
  readonly ephemeral?: boolean;
  readonly webhookService?: WebhookServices;
}

/** Adds `capstan serve`. */
export const addServe: AddCommand = (program, terminal) => {
  program
    .command("serve")
    .description("run the API server on a data folder until it is stopped")
    .requiredOption("-d, --data <folder>", "the data folder, made if it is not there")
    .option("-p, --port <number>", "the port on the loopback; 0 takes any that is free", "6443")
    .option("--token-auth-file <file>", "lines of token,user,uid,groups for callers without certificates")
    .option("--audit-log-path <file>", "write down who asked for what, one JSON line a request")
    .option("--ephemeral", "keep objects in memory alone: they are gone when the server stops")
    .option(webhookServiceFlag, webhookServiceHelp, addWebhookService)
    .addHelpText("after", example("capstan serve --data ~/.capstan"))
    .action(async (options: ServeOptions) => {
      tuneEngine();
      await untilStopped((stop) => serve(options, terminal, stop));
    });
};

async function serve(options: ServeOptions, terminal: Terminal, stop: AbortController): Promise<void> {
  const { data, auditLogPath, ephemeral = false, webhookService: webhookServices } = options;
  const port = portOf(options.port);
  const staticTokens = await readTokens(options.tokenAuthFile);
  const destination = { write: terminal.writeError };
  const log = createLogger({ format: "text", level: "info", clock: systemClock, destination });
  const server = { data, port, ephemeral, log, staticTokens, auditLogPath, webhookServices };
  await withServer(server, stop, async ({ url, kubeconfig }) => {
    terminal.write(`serving on ${url}; kubeconfig: ${kubeconfig}\n`);
    await untilAborted(stop.signal);
  });
}

async function readTokens(file: string | undefined): Promise<StaticTokens | undefined> {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UnreadableFileError(`cannot read ${file}: ${describeError(error)}`);
  }
  return parseTokenFile(text);
}

/** A port from a flag. */
export function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${text}`);
  return port;
}
