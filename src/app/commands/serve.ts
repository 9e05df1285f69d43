import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createLogger, describeError, type Logger, systemClock } from "#base";
import {
  type ApiServer,
  type AuditLog,
  makeDataFolder,
  openApiServer,
  openAuditLog,
  openLmdbStore,
  openMemoryStore,
  openPki,
  parseTokenFile,
  type Pki,
  renewCertificates,
  type StaticTokens,
  type Store,
  type TlsFiles,
  writeKubeconfig,
} from "#apiserver";
import { UnreadableFileError, UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { tuneMemory } from "../memory.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

interface ServeOptions {
  readonly data: string;
  readonly port: string;
  readonly tokenAuthFile?: string;
  readonly auditLogPath?: string;
  readonly ephemeral?: boolean;
}

// Tokens outlive the port that the server happens to listen on, so that their issuer does not name it.
const issuer = "https://kubernetes.default.svc.cluster.local";

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
    .addHelpText("after", example("capstan serve --data ~/.capstan"))
    .action(async (options: ServeOptions) => {
      tuneMemory();
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
  const port = portOf(options.port);
  const data = resolve(options.data);
  const staticTokens = await readTokens(options.tokenAuthFile);
  const destination = { write: terminal.writeError };
  const log = createLogger({ format: "text", level: "info", clock: systemClock, destination });
  await makeDataFolder(data);
  // The folder is locked first: a second server must not touch the keys of the first.
  const store = options.ephemeral === true ? openMemoryStore() : await openLmdbStore({ directory: data });
  const failures: Error[] = [];
  const onFatal = (error: Error) => {
    failures.push(error);
    stop.abort();
  };
  const { pki, server } = await open({ store, data, log, onFatal, ...(staticTokens && { staticTokens }) });
  let audit: AuditLog | undefined;
  try {
    if (options.auditLogPath !== undefined) audit = await openAuditLog({ path: options.auditLogPath, log });
    await listen({ server, pki, audit, log, port, data, terminal, signal: stop.signal });
  } finally {
    if (failures.length === 0) await server.close();
    await audit?.close();
  }
  for (const failure of failures) throw failure;
}

interface Opening {
  readonly store: Store;
  readonly data: string;
  readonly log: Logger;
  readonly staticTokens?: StaticTokens;
  readonly onFatal: (error: Error) => void;
}

/** Opens the server with the keys of the folder; lets go of the folder where that fails. */
async function open({ store, data, log, staticTokens, onFatal }: Opening): Promise<{ pki: Pki; server: ApiServer }> {
  try {
    const pki = await openPki({ folder: join(data, "pki"), clock: systemClock });
    const { authority, tokenKey } = pki;
    const server = await openApiServer({
      store,
      clock: systemClock,
      log,
      random: Math.random,
      uuid: randomUUID,
      security: { authority, tokenKey, issuer, ...(staticTokens && { staticTokens }) },
      onFatal,
    });
    return { pki, server };
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Listening {
  readonly server: ApiServer;
  readonly pki: Pki;
  readonly audit: AuditLog | undefined;
  readonly log: Logger;
  readonly port: number;
  readonly data: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

async function listen({ server, pki, audit, log, port, data, terminal, signal }: Listening): Promise<void> {
  const { security } = server;
  if (security === undefined) throw new UsageError("the server was opened without security");
  const http = await server.listen({
    security,
    answered: server.answered,
    documents: () => security.issuerDocuments(),
    tls: tlsOf(pki),
    log,
    port,
    ...(audit === undefined ? {} : { onAnswered: (request) => audit.record(request) }),
  });
  const url = `https://127.0.0.1:${http.port}`;
  const kubeconfig = join(data, "kubeconfig");
  const onRenewed = (next: Pki) => {
    http.renew(tlsOf(next));
    security.publishAuthority(next.authority);
    void writeKubeconfig(kubeconfig, { server: url, pki: next });
  };
  const renewing = renewCertificates(pki, { folder: join(data, "pki"), clock: systemClock, log, signal, onRenewed });
  try {
    await writeKubeconfig(kubeconfig, { server: url, pki });
    terminal.write(`serving on ${url}; kubeconfig: ${kubeconfig}\n`);
    await untilAborted(signal);
  } finally {
    await http.close();
  }
  await renewing;
}

function tlsOf({ authority, serving }: Pki): TlsFiles {
  return { cert: serving.certificate, key: serving.key, clientCa: authority };
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

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${text}`);
  return port;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
