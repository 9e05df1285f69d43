import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Readable, Writable } from "node:stream";
import { TLSSocket } from "node:tls";
import type { TlsPeer } from "./security.ts";

export type AnswerHeaders = Readonly<Record<string, string | number | string[]>>;

/** A request and the place for its answer, whichever version of HTTP they travel in. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  readonly peer: TlsPeer | undefined;
  /** The address of who connected. */
  readonly remoteAddress: string;
  /** True when nothing can be answered any more. */
  readonly isOver: boolean;
  onEnd(listener: () => void): void;
  answer(status: number, headers: AnswerHeaders, body: Buffer): void;
  /** Begins an answer that goes on for as long as there is something to say. */
  open(status: number, headers: AnswerHeaders): Writable;
  /** Ends the exchange without an answer. */
  abort(): void;
}

/** A request that came in HTTP/1.1. */
export function overHttp1(request: IncomingMessage, response: ServerResponse): Exchange {
  const { socket } = request;
  return {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: request.headers,
    body: request,
    peer: socket instanceof TLSSocket ? peerOf(socket, socket) : undefined,
    get remoteAddress() {
      return socket.remoteAddress ?? "";
    },
    get isOver() {
      return response.destroyed || response.writableEnded;
    },
    onEnd: (listener) => response.once("close", listener),
    answer(status, headers, body) {
      if (response.headersSent || response.destroyed) return;
      // A body that nobody read would be taken for the next request.
      const close = request.complete ? {} : { connection: "close" };
      response.writeHead(status, { ...headers, ...close, "content-length": body.length });
      response.end(request.method === "HEAD" ? undefined : body);
    },
    open(status, headers) {
      response.writeHead(status, headers);
      response.flushHeaders();
      return response;
    },
    abort: () => socket.destroy(),
  };
}

/** A request that came in HTTP/2. */
export function overHttp2(stream: ServerHttp2Stream, headers: IncomingHttpHeaders & Record<string, unknown>): Exchange {
  const { session } = stream;
  return {
    method: String(headers[constants.HTTP2_HEADER_METHOD]),
    url: String(headers[constants.HTTP2_HEADER_PATH] ?? "/"),
    headers,
    body: stream,
    peer: session === undefined ? undefined : peerOf(session, session.socket),
    get remoteAddress() {
      return session?.socket?.remoteAddress ?? "";
    },
    get isOver() {
      return stream.destroyed || stream.writableEnded;
    },
    onEnd: (listener) => stream.once("close", listener),
    answer(status, answerHeaders, body) {
      if (stream.destroyed || stream.headersSent) return;
      stream.respond({ ...answerHeaders, ":status": status, "content-length": body.length });
      stream.end(headers[constants.HTTP2_HEADER_METHOD] === "HEAD" ? undefined : body);
    },
    open(status, answerHeaders) {
      if (!stream.destroyed) stream.respond({ ...answerHeaders, ":status": status });
      return stream;
    },
    abort: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

const peers = new WeakMap<object, TlsPeer | "none">();

/** The certificate of a connection, read once for all of its requests. */
function peerOf(connection: object, socket: unknown): TlsPeer | undefined {
  const known = peers.get(connection);
  if (known !== undefined) return known === "none" ? undefined : known;
  const found = readPeer(socket);
  peers.set(connection, found ?? "none");
  return found;
}

function readPeer(socket: unknown): TlsPeer | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server speaks over TLS alone; HTTP/2 shows its socket behind a proxy
  const tls = socket as TLSSocket;
  const certificate = tls.getPeerCertificate();
  if (certificate === null || Object.keys(certificate).length === 0) return undefined;
  return { certificate, trusted: tls.authorized };
}
