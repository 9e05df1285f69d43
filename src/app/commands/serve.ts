import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createLogger, systemClock } from "#base";
import { openApiServer, openLmdbStore, openMemoryStore } from "#apiserver";
import { UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import { certificateSecurity, openServingCredentials } from "../serving-credentials.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

interface ServeOptions {
  readonly data: string;
  readonly port: string;
  readonly ephemeral?: boolean;
}

/** Adds `capstan serve`. */
export const addServe: AddCommand = (program, terminal) => {
  program
    .command("serve")
    .description("run the API server on a data folder until it is stopped")
    .requiredOption("-d, --data <folder>", "the data folder, made if it is not there")
    .option("-p, --port <number>", "the port on the loopback; 0 takes any that is free", "6443")
    .option("--ephemeral", "keep objects in memory alone: they are gone when the server stops")
    .addHelpText(
      "after",
      example("capstan serve --data ~/.capstan", "kubectl --kubeconfig ~/.capstan/kubeconfig get ns"),
    )
    .action(async (options: ServeOptions) => {
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
      try {
        await serve(options, terminal, stop);
      } finally {
        process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
      }
    });
};

/** Serves until the signal; everything that was acknowledged is on the disk when this resolves. */
async function serve(options: ServeOptions, terminal: Terminal, stop: AbortController): Promise<void> {
  const data = resolve(options.data);
  const port = portOf(options.port);
  const log = createLogger({
    format: "text",
    level: "info",
    clock: systemClock,
    destination: { write: terminal.writeError },
  });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const store = options.ephemeral === true ? openMemoryStore() : await openLmdbStore({ directory: data });
  let failure: Error | undefined;
  const server = await openApiServer({
    store,
    clock: systemClock,
    log,
    random: Math.random,
    uuid: randomUUID,
    onFatal: (error) => {
      failure = error;
      stop.abort();
    },
  });
  try {
    const { authority, serving, admin } = await openServingCredentials(join(data, "pki"));
    const http = await server.listen({
      security: certificateSecurity(),
      tls: { cert: serving.certificate, key: serving.key, clientCa: authority },
      log,
      port,
    });
    try {
      const url = `https://127.0.0.1:${http.port}`;
      const kubeconfig = join(data, "kubeconfig");
      await writeKubeconfig(kubeconfig, { server: url, authority, ...admin });
      terminal.write(`serving on ${url}; kubeconfig: ${kubeconfig}\n`);
      await aborted(stop.signal);
    } finally {
      await http.close();
    }
  } finally {
    if (failure === undefined) await server.close();
  }
  if (failure !== undefined) throw failure;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${text}`);
  return port;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
