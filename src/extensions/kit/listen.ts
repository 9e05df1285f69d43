import { once } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { type Clock, describeError, hours, issueServing, systemClock } from "#base";
import { ExtensionServeError } from "../errors.ts";
import type { Extension } from "./extension.ts";

/** A certificate and its key, PEM. */
export interface ServingTls {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
}

/** Where an extension is served. */
export interface ListenOptions {
  /** Any free one unless told. */
  readonly port?: number;
  /** All addresses unless told. */
  readonly host?: string;
  /** Made for the occasion unless told. */
  readonly tls?: ServingTls;
  /** The names and addresses in a certificate that is made for the occasion; the loopback unless told. */
  readonly names?: readonly string[];
  readonly clock?: Clock;
}

/** An extension that is being served. */
export interface ExtensionServer extends AsyncDisposable {
  readonly port: number;
  /** On this machine. */
  readonly url: string;
  /** For `caBundle` of an ExtensionConfig; empty where the certificate was given. */
  readonly caBundle: string;
  /** Shows another certificate from the next connection on. */
  renew(tls: ServingTls): void;
  /** Takes no further calls, and resolves once those under way have been answered. */
  close(): Promise<void>;
}

const loopback = ["localhost", "127.0.0.1", "::1"];
const mostBytes = 20 * 1024 * 1024;
const lifetime = hours(24 * 365);

/** Serves an extension over HTTPS, in HTTP/2 and HTTP/1.1. */
export async function listen(answer: Extension["answer"], options: ListenOptions): Promise<ExtensionServer> {
  const { port = 0, host, names = loopback, clock = systemClock } = options;
  const now = clock.instant();
  const made =
    options.tls === undefined
      ? issueServing({ names, notBefore: now - hours(1), notAfter: now + lifetime })
      : undefined;
  const tls = options.tls ?? { cert: made?.certificate ?? "", key: made?.key ?? "" };
  const server = createSecureServer({ ...material(tls), allowHTTP1: true });
  const connections = trackConnections(server);
  server.on("request", (request, response) => connections.count(respond(request, response, answer)));
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, "listening");
  } catch (error) {
    throw new ExtensionServeError(`cannot listen on port ${port}`, { cause: error });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `https://localhost:${bound}`,
    caBundle: made === undefined ? "" : Buffer.from(made.authority).toString("base64"),
    renew: (next) => server.setSecureContext(material(next)),
    close: () => connections.close(),
    [Symbol.asyncDispose]: () => connections.close(),
  };
}

async function respond(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  answer: Extension["answer"],
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  request.on("error", () => gone.abort());
  try {
    const body = await readBounded(request);
    if (body === undefined) {
      await send(response, 413, "the question is too large\n");
      return;
    }
    const { method, url: path } = request;
    const { status, headers, body: text } = await answer({ method, path, body, signal: gone.signal });
    await send(response, status, text, headers);
  } catch (error) {
    if (gone.signal.aborted) return;
    await send(response, 500, `${describeError(error)}\n`);
  }
}

/** Resolves once the answer has left, or nobody is there to take it. */
function send(
  response: Http2ServerResponse,
  status: number,
  text: string,
  headers: { readonly [name: string]: string } = {},
): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
    response.writeHead(status, headers).end(text, resolve);
  });
}

/** The body of a request; undefined where it is larger than any question. */
async function readBounded(request: Http2ServerRequest): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function material({ cert, key }: ServingTls): { cert: Buffer; key: Buffer } {
  return { cert: Buffer.from(cert), key: Buffer.from(key) };
}

/** Knows who is connected and what is under way, so that the server can end without cutting anybody off. */
function trackConnections(server: Http2SecureServer) {
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // A client that breaks off its handshake or its session harms nobody.
  server.on("sessionError", () => undefined);
  server.on("tlsClientError", () => undefined);
  return {
    count(call: Promise<void>): void {
      running.add(call);
      void call.finally(() => running.delete(call));
    },
    async close(): Promise<void> {
      const closed = server.listening ? once(server, "close") : Promise.resolve();
      server.close();
      await Promise.all(running);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
