import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { type Duration, type Logger, seconds } from "#base";
import type { JsonObject } from "#machinery";
import { discoveryOf } from "#apiserver/discovery";
import { openApiOf } from "#apiserver/openapi";
import type { Engine } from "#apiserver/registry";
import type { AnsweredResource } from "#apiserver/auth";
import { Deadlines } from "./deadlines.ts";
import { ListenError } from "./errors.ts";
import { type Exchange, overHttp1, overHttp2 } from "./exchange.ts";
import type { AnsweredRequest, Face } from "./face.ts";
import { FairGate } from "./fair-gate.ts";
import { createHandler } from "./handler.ts";
import type { HealthCheck } from "./health.ts";
import { createMetrics } from "./metrics.ts";
import type { Security } from "./security.ts";
import { boundSession } from "./session-bounds.ts";

/** Keys and certificates in PEM. */
export interface TlsFiles {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The authority that signs the certificates of clients. */
  readonly clientCa: string | Buffer;
}

export interface HttpOptions {
  readonly security: Security;
  readonly tls: TlsFiles;
  readonly log: Logger;
  /** An address of this machine; the loopback unless told otherwise. */
  readonly host?: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** What is answered and not kept. */
  readonly answered?: readonly AnsweredResource[];
  /** What has to be well besides the server itself. */
  readonly checks?: readonly HealthCheck[];
  readonly onAnswered?: (record: AnsweredRequest) => void;
  /** Documents to publish besides, by path; read anew for every request. */
  readonly documents?: () => Promise<{ readonly [path: string]: JsonObject }>;
  readonly limits?: Partial<Limits>;
}

/** How much is served at a time. */
export interface Limits {
  readonly reads: number;
  readonly writes: number;
  /** Requests of one caller that wait for their turn. */
  readonly queue: number;
  readonly connections: number;
  /** How long the head of a request may take. */
  readonly head: Duration;
}

/** A server that listens. */
export interface HttpServer {
  readonly port: number;
  /** Serves with other certificates from now on. */
  renew(tls: TlsFiles): void;
  /** Says "not ready", ends watches, finishes what is under way and lets go of the port. */
  close(options?: { readonly grace?: Duration }): Promise<void>;
}

const defaults: Limits = { reads: 400, writes: 200, queue: 100, connections: 10_000, head: seconds(10) };

/** Serves an engine over TLS, in HTTP/2 and HTTP/1.1, until it is closed. */
export async function serveHttp(engine: Engine, options: HttpOptions): Promise<HttpServer> {
  const limits = { ...defaults, ...options.limits };
  const stop = new AbortController();
  // Every watch listens for the end.
  setMaxListeners(0, stop.signal);
  const server = createListener(options.tls, limits);
  const face = faceOf(engine, options, limits, stop.signal, () => portOf(server));
  const handle = createHandler(face);
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  const serve = (exchange: Exchange) => {
    const done = handle(exchange).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => serve(overHttp1(request, response)));
  // The platform would wrap streams to look like HTTP/1.1, which costs as much as serving them.
  server.removeAllListeners("stream");
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // Errors of one stream are the client's; what it waits for is told by its end.
    stream.on("error", () => undefined);
    serve(overHttp2(stream, headers));
  });
  server.on("session", (session: ServerHttp2Session) => {
    session.on("error", () => undefined);
    boundSession(session, { clock: engine.clock, head: limits.head });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  await listen(server, options);
  return {
    port: portOf(server),
    renew: (tls) => server.setSecureContext(contextOf(tls)),
    async close({ grace = seconds(25) } = {}) {
      stop.abort();
      face.reads.clear();
      face.writes.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await withinGrace(engine, [...underWay], grace);
      for (const socket of sockets) socket.destroySoon();
      for (const socket of sockets) socket.destroy();
      await closed;
      face.deadlines.close();
    },
  };
}

// Programs look for these by name. What they stand for is over when the server begins to listen.
const stagesOfStart = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

function faceOf(engine: Engine, options: HttpOptions, limits: Limits, stopping: AbortSignal, port: () => number): Face {
  const { security, log, answered = [], checks = [], host = "127.0.0.1", onAnswered } = options;
  const { documents = () => Promise.resolve({}) } = options;
  const reads = new FairGate({ limit: limits.reads, longestQueue: limits.queue });
  const writes = new FairGate({ limit: limits.writes, longestQueue: limits.queue });
  const metrics = createMetrics(engine, { reads: () => reads.inside, writes: () => writes.inside });
  const well = (name: string): HealthCheck => ({ name, problem: () => undefined });
  const always = [...["ping", "log", "etcd", ...stagesOfStart].map(well), ...checks];
  const ready = [
    ...always,
    ...["etcd-readiness", "informer-sync"].map(well),
    { name: "shutdown", problem: () => (stopping.aborted ? "process is shutting down" : undefined) },
  ];
  return {
    engine,
    security,
    discovery: discoveryOf(engine.resources, answered),
    openApi: openApiOf(engine.resources, answered),
    answered,
    metrics,
    reads,
    writes,
    deadlines: new Deadlines(engine.clock),
    log,
    documents,
    checks: (endpoint) => (endpoint === "readyz" ? ready : always),
    address: () => `${host}:${port()}`,
    stopping,
    ...(onAnswered === undefined ? {} : { onAnswered }),
  };
}

function createListener(tls: TlsFiles, limits: Limits): Http2SecureServer {
  const server = createSecureServer({
    ...contextOf(tls),
    allowHTTP1: true,
    requestCert: true,
    // Who shows a certificate of another authority is refused as a caller, with a Status, and not as a connection.
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
    handshakeTimeout: limits.head,
    maxSessionMemory: 64,
    maxSessionRejectedStreams: 100,
    unknownProtocolTimeout: limits.head,
    settings: { maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024, maxHeaderListSize: 64 * 1024 },
  });
  server.maxConnections = limits.connections;
  // The part of the server that speaks HTTP/1.1 takes these, though its type does not tell.
  Object.assign(server, {
    headersTimeout: limits.head,
    connectionsCheckingInterval: limits.head / 2,
    requestTimeout: 60_000,
    keepAliveTimeout: 120_000,
    maxRequestsPerSocket: 0,
  });
  server.on("tlsClientError", (_, socket) => socket.destroy());
  server.on("clientError", (_: Error, socket: Socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
  return server;
}

function contextOf({ cert, key, clientCa }: TlsFiles) {
  return { cert, key, ca: clientCa };
}

function listen(server: Http2SecureServer, { host = "127.0.0.1", port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there already" : error.message;
      reject(new ListenError(`cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

function portOf(server: Http2SecureServer): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Waits for what is under way, but not for ever. */
async function withinGrace({ clock }: Engine, underWay: readonly Promise<void>[], grace: Duration): Promise<void> {
  const enough = new AbortController();
  const late = clock.sleep(grace, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([Promise.all(underWay), late]);
  enough.abort();
}
