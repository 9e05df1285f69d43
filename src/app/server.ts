import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import {
  type AdmissionPlugin,
  type ApiServer,
  type AuditLog,
  makeDataFolder,
  openApiServer,
  openAuditLog,
  openLmdbStore,
  openMemoryStore,
  openPki,
  type Pki,
  renewCertificates,
  type StaticTokens,
  type Store,
  type TlsFiles,
  writeKubeconfig,
} from "#apiserver";
import { type Logger, systemClock, toError } from "#base";
import { UsageError } from "./errors.ts";
import type { WebhookServices } from "./webhook-services.ts";

/** Where and how an API server serves. */
export interface ServerOptions {
  readonly data: string;
  readonly port: number;
  readonly ephemeral: boolean;
  readonly log: Logger;
  readonly staticTokens?: StaticTokens | undefined;
  readonly auditLogPath?: string | undefined;
  readonly webhookServices?: WebhookServices | undefined;
  /** Have their say in writes, after the server's own. */
  readonly plugins?: (transport: () => ApiServer) => readonly AdmissionPlugin[];
}

/** A server that can be reached. */
export interface RunningServer {
  readonly server: ApiServer;
  readonly url: string;
  readonly kubeconfig: string;
}

// Tokens outlive the port that the server happens to listen on, so that their issuer does not name it.
const issuer = "https://kubernetes.default.svc.cluster.local";

/** Serves while something else runs; everything that was acknowledged is on the disk when this resolves. */
export async function withServer(
  options: ServerOptions,
  stop: AbortController,
  during: (running: RunningServer) => Promise<void>,
): Promise<void> {
  if (options.data === "") throw new UsageError("--data takes a folder");
  const data = resolve(options.data);
  await makeDataFolder(data);
  // The folder is locked first: a second server must not touch the keys of the first.
  const store = options.ephemeral ? openMemoryStore() : await openLmdbStore({ directory: data });
  const failures: Error[] = [];
  const onFatal = (error: Error) => {
    failures.push(error);
    stop.abort();
  };
  const { pki, server } = await open(options, { store, data, onFatal });
  let audit: AuditLog | undefined;
  try {
    if (options.auditLogPath !== undefined) {
      audit = await openAuditLog({ path: options.auditLogPath, log: options.log });
    }
    await listen(options, { server, pki, audit, data, signal: stop.signal }, during);
  } finally {
    if (failures.length === 0) await server.close();
    await audit?.close();
  }
  for (const failure of failures) throw failure;
}

/** Resolves when the signal ends. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}

interface Opening {
  readonly store: Store;
  readonly data: string;
  readonly onFatal: (error: Error) => void;
}

/** Opens the server with the keys of the folder; lets go of the folder where that fails. */
async function open(
  { log, staticTokens, webhookServices = new Map(), plugins = () => [] }: ServerOptions,
  { store, data, onFatal }: Opening,
): Promise<{ readonly pki: Pki; readonly server: ApiServer }> {
  try {
    const pki = await openPki({ folder: join(data, "pki"), clock: systemClock });
    const { authority, tokenKey } = pki;
    const opened: { server?: ApiServer } = {};
    const server = await openApiServer({
      store,
      clock: systemClock,
      log,
      random: Math.random,
      uuid: randomUUID,
      plugins: plugins(() => theServer(opened.server)),
      webhookServices,
      security: { authority, tokenKey, issuer, ...(staticTokens && { staticTokens }) },
      onFatal,
    });
    opened.server = server;
    return { pki, server };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function theServer(server: ApiServer | undefined): ApiServer {
  if (server === undefined) throw new UsageError("the server is still being opened");
  return server;
}

interface Listening {
  readonly server: ApiServer;
  readonly pki: Pki;
  readonly audit: AuditLog | undefined;
  readonly data: string;
  readonly signal: AbortSignal;
}

async function listen(
  { log, port }: ServerOptions,
  { server, pki, audit, data, signal }: Listening,
  during: (running: RunningServer) => Promise<void>,
): Promise<void> {
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
    writeKubeconfig(kubeconfig, { server: url, pki: next }).catch((error: unknown) => {
      log.error("the kubeconfig could not be renewed", toError(error));
    });
  };
  const renewing = renewCertificates(pki, { folder: join(data, "pki"), clock: systemClock, log, signal, onRenewed });
  try {
    await writeKubeconfig(kubeconfig, { server: url, pki });
    await during({ server, url, kubeconfig });
  } finally {
    await http.close();
  }
  await renewing;
}

function tlsOf({ authority, serving }: Pki): TlsFiles {
  return { cert: serving.certificate, key: serving.key, clientCa: authority };
}
