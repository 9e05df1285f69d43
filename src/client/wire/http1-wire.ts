import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { type Duration, seconds } from "#base";
import { ConnectionError } from "../errors.ts";
import type { TlsMaterial } from "./tls-material.ts";
import type { Wire, WireRequest } from "./wire.ts";

/** How a server is spoken to in HTTP/1.1. */
export interface Http1Options {
  readonly server: URL;
  /** Absent for plain http. */
  readonly tls?: TlsMaterial;
  /** After how much silence the platform asks whether the other side is still there. */
  readonly keepAliveAfter?: Duration;
  /** How many connections there may be; further requests wait for one. */
  readonly mostConnections?: number;
}

/** Speaks HTTP/1.1 over connections that are kept and used again; each watch takes one to itself. */
export function createHttp1Wire(options: Http1Options): Wire {
  const { server, tls, keepAliveAfter = seconds(30), mostConnections = Infinity } = options;
  const kept = {
    keepAlive: true,
    keepAliveMsecs: keepAliveAfter,
    maxSockets: mostConnections,
    maxFreeSockets: Math.min(mostConnections, 32),
    scheduling: "lifo",
  } as const;
  const agent = tls === undefined ? new HttpAgent(kept) : new HttpsAgent({ ...kept, ...tls });
  const begin = tls === undefined ? httpRequest : httpsRequest;
  const readyEvent = tls === undefined ? "connect" : "secureConnect";
  const { hostname, port } = server;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const { method, path, headers, body, signal } = request;
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
        const line = { host, port, method, path, agent, headers: { ...mutable(headers), ...length } };
        const call = begin(line, (message) => {
          // Whoever reads the body hears of it; before anybody does, nobody needs to.
          message.on("error", () => undefined);
          resolve({
            status: message.statusCode ?? 0,
            headers: message.headers,
            body: message,
            isWhole: () => message.complete,
          });
        });
        cancelWith(signal, call);
        // Nothing has left this side before its socket was ready.
        let mayHaveArrived = false;
        call.once("socket", (socket) => {
          if (!call.reusedSocket) socket.once(readyEvent, () => (mayHaveArrived = true));
          else mayHaveArrived = true;
        });
        call.on("error", (error) => {
          reject(signal?.aborted === true ? signal.reason : broken(error, request, mayHaveArrived));
        });
        // A server that goes over to another protocol is left without a word, and without an error.
        call.once("close", () => reject(broken(new Error("it ended without an answer"), request, mayHaveArrived)));
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function cancelWith(signal: AbortSignal | undefined, call: ClientRequest): void {
  if (signal === undefined) return;
  let answer: IncomingMessage | undefined;
  const onAbort = (): void => {
    const reason = signal.reason instanceof Error ? signal.reason : new Error("aborted", { cause: signal.reason });
    answer?.destroy(reason);
    call.destroy(reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  call.once("response", (message) => (answer = message));
  call.once("close", () => signal.removeEventListener("abort", onAbort));
}

function broken(cause: Error, { method, path }: WireRequest, mayHaveArrived: boolean): ConnectionError {
  return new ConnectionError(`${method} ${path}: the connection failed`, { mayHaveArrived, cause });
}

function mutable(headers: WireRequest["headers"]): Record<string, string | string[]> {
  const copy: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) copy[name] = typeof value === "string" ? value : [...value];
  return copy;
}
