import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { toError } from "#base";
import { ManagerListenError } from "../errors.ts";

/** Where to listen. */
export interface ListenAddress {
  /** All interfaces unless told otherwise. */
  readonly host?: string;
  /** 0 takes any that is free. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** What is answered. */
export interface Answer {
  readonly code: number;
  readonly text: string;
  readonly contentType?: string;
}

/** A small HTTP server. */
export interface HttpListener extends AsyncDisposable {
  readonly port: number;
}

/** Answers requests until it is disposed of. An answer that fails is a 500, never a crash. */
export async function listen(
  { host, port, tls }: ListenAddress,
  answer: (request: IncomingMessage) => Answer | Promise<Answer>,
): Promise<HttpListener> {
  const onRequest: RequestListener = (request, response) => {
    void respond(request, response, answer);
  };
  const server: Server =
    tls === undefined ? createServer(onRequest) : createTlsServer({ ...tls, minVersion: "TLSv1.2" }, onRequest);
  return {
    port: await bind(server, { port, ...(host === undefined ? {} : { host }) }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Lets a server listen, and answers on which port it does. */
export async function bind(server: Server, { host, port }: Omit<ListenAddress, "tls">): Promise<number> {
  // Whoever holds a connection open without asking anything is let go.
  server.headersTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program listens there already" : error.message;
      reject(new ManagerListenError(`cannot listen on ${host ?? "*"}:${port}: ${why}`, { cause: error }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  const address = server.address();
  return isAddressInfo(address) ? address.port : port;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage) => Answer | Promise<Answer>,
): Promise<void> {
  response.on("error", () => undefined);
  let result: Answer;
  try {
    result = request.method === "GET" ? await answer(request) : { code: 405, text: "method not allowed\n" };
  } catch (error) {
    result = { code: 500, text: `${toError(error).message}\n` };
  }
  response.writeHead(result.code, {
    "content-type": result.contentType ?? "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  response.end(result.text);
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
