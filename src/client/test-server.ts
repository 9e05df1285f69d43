import { once } from "node:events";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createRelay, type Socket } from "node:net";
import type { Connection } from "./connection.ts";
import { makeTestCertificate, type TestCertificate } from "./test-certificate.ts";

interface JsonAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
}

/** One request and the means to answer it well or badly. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body: string;
  /** The name in the certificate that the client showed. */
  readonly clientName: string | undefined;
  readonly protocol: "1.1" | "2.0";
  readonly response: Http2ServerResponse;
  /** Answers with JSON. */
  readonly json: (content: unknown, options?: JsonAnswer) => void;
  /** Breaks off the answer of this request. */
  readonly reset: () => void;
  /** Drops the whole connection. */
  readonly drop: () => void;
}

/** A server that answers as a test says. */
export interface TestServer extends AsyncDisposable {
  readonly connection: Connection;
  readonly port: number;
  /** All requests so far, as `GET /path`. */
  readonly requests: readonly string[];
  /** How many connections have been made. */
  readonly connections: number;
  /** Lets no byte pass any more, without closing anything. */
  stall(): void;
  dropAll(): void;
  close(): Promise<void>;
}

/** What a test decides about its server. */
export interface TestServerOptions {
  readonly answer: (exchange: Exchange) => void | Promise<void>;
  /** The best that the server speaks. */
  readonly protocol?: "h2" | "http/1.1";
  readonly mostStreams?: number;
  readonly port?: number;
  readonly certificate?: TestCertificate;
}

const ownCertificate = makeTestCertificate("test-server");

/** Starts a server behind a relay that a test can stall. */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { certificate, key } = options.certificate ?? ownCertificate;
  const requests: string[] = [];
  const relayed = new Set<Socket>();
  let connections = 0;
  const tls = { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
  const { protocol = "h2" } = options;
  const settings = { maxConcurrentStreams: options.mostStreams ?? 100 };
  const server = protocol === "h2" ? createSecureServer({ ...tls, allowHTTP1: true, settings }) : createServer(tls);
  server.on("sessionError", () => undefined);
  server.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
    void (async () => {
      const exchange = await readExchange(request, response);
      requests.push(`${exchange.method} ${exchange.path}`);
      await options.answer(exchange);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const relay = createRelay((client) => {
    connections++;
    const upstream = connect(portOf(server.address()), "127.0.0.1");
    for (const socket of [client, upstream]) {
      relayed.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        relayed.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  relay.listen(options.port ?? 0, "127.0.0.1");
  await once(relay, "listening");
  const port = portOf(relay.address());

  const close = async (): Promise<void> => {
    for (const socket of relayed) socket.destroy();
    await Promise.all([new Promise((done) => relay.close(done)), new Promise((done) => server.close(done))]);
  };
  return {
    connection: { server: `https://localhost:${port}`, tls: { authority: certificate } },
    port,
    requests,
    get connections() {
      return connections;
    },
    stall() {
      for (const socket of relayed) socket.unpipe().pause();
    },
    dropAll() {
      for (const socket of relayed) socket.resetAndDestroy();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readExchange(request: Http2ServerRequest, response: Http2ServerResponse): Promise<Exchange> {
  let body = "";
  request.setEncoding("utf8");
  request.on("error", () => undefined);
  for await (const part of request) body += part;
  const isHttp1 = request.httpVersionMajor === 1;
  const { socket } = request;
  const names = "getPeerCertificate" in socket ? socket.getPeerCertificate().subject : undefined;
  if (!isHttp1) response.stream.on("error", () => undefined);
  return {
    method: request.method,
    path: request.url,
    headers: request.headers,
    body,
    clientName: typeof names?.CN === "string" ? names.CN : undefined,
    protocol: isHttp1 ? "1.1" : "2.0",
    response,
    json(content, { status = 200, headers = {} } = {}) {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(content));
    },
    reset: () => (isHttp1 ? void socket.destroy() : response.stream.destroy(new Error("reset by the test"))),
    drop: () => (isHttp1 ? void socket.destroy() : response.stream.session?.destroy()),
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
