import { createServer } from "node:http";
import { createFakeClock, milliseconds, noTime, parseTimestamp, seconds } from "#base";
import { afterEach, expect, test } from "vitest";
import { ConnectionError, TransportClosedError } from "../errors.ts";
import { makeTestCertificate } from "../test-certificate.ts";
import { type Exchange, startTestServer, type TestServer, type TestServerOptions } from "../test-server.ts";
import { createHttpTransport, type HttpTransportOptions } from "../transport/http-transport.ts";
import type { Connection } from "../connection.ts";

const nodes = { group: "", version: "v1", resource: "nodes" };
const key = { name: "x" };
const node = { apiVersion: "v1", kind: "Node", metadata: { name: "x" } };
const answerNode = ({ json }: Exchange) => json(node);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function started(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ answer: answerNode, ...options });
  closing.push(() => server.close());
  return server;
}

function connected(connection: Connection, options: HttpTransportOptions = {}) {
  const transport = createHttpTransport(connection, options);
  closing.push(() => transport.close());
  return transport;
}

test("many calls at once share one connection", async () => {
  const server = await started();
  const transport = connected(server.connection);
  await Promise.all(Array.from({ length: 50 }, () => transport.get(nodes, key)));
  await transport.get(nodes, key);
  expect(server.connections).toBe(1);
});

test("a full connection gets company, and no more than that", async () => {
  const waiting: Exchange[] = [];
  const server = await started({ mostStreams: 10, answer: (exchange) => void waiting.push(exchange) });
  const transport = connected(server.connection);
  const calls = Array.from({ length: 25 }, () => transport.get(nodes, key));
  while (waiting.length < 25) await turn();
  for (const exchange of waiting) answerNode(exchange);
  await Promise.all(calls);
  expect(server.connections).toBe(3);
});

test.each(["h2", "http/1.1"] as const)("over %s there are no more connections than allowed", async (protocol) => {
  const waiting: Exchange[] = [];
  const server = await started({ protocol, mostStreams: 1, answer: (exchange) => void waiting.push(exchange) });
  const transport = connected(server.connection, { mostConnections: 2 });
  const calls = Array.from({ length: 6 }, () => transport.get(nodes, key));
  for (let answers = 0; answers < 6; answers++) {
    while (waiting.length === 0) await turn();
    expect(waiting.length).toBeLessThanOrEqual(2);
    const [exchange] = waiting.splice(0, 1);
    if (exchange !== undefined) answerNode(exchange);
  }
  await Promise.all(calls);
  // Which of the protocols is spoken is found out on a connection of its own.
  expect(server.connections).toBe(protocol === "h2" ? 2 : 3);
});

test("whoever waits for room can be called off, and is let go when the transport is closed", async () => {
  const server = await started({ mostStreams: 1, answer: () => undefined });
  const transport = connected(server.connection, { mostConnections: 1 });
  const first = transport.get(nodes, key).catch((error: unknown) => error);
  while (server.requests.length === 0) await turn();
  const stop = new AbortController();
  const second = transport.get(nodes, key, { signal: stop.signal });
  const third = transport.get(nodes, key);
  stop.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  transport.close();
  await expect(third).rejects.toBeInstanceOf(TransportClosedError);
  expect(await first).toBeInstanceOf(Error);
});

test("a server without HTTP/2 is spoken to in HTTP/1.1", async () => {
  const protocols: string[] = [];
  const server = await started({
    protocol: "http/1.1",
    answer: (exchange) => {
      protocols.push(exchange.protocol);
      answerNode(exchange);
    },
  });
  const transport = connected(server.connection);
  await transport.get(nodes, key);
  await transport.get(nodes, key);
  expect(protocols).toEqual(["1.1", "1.1"]);
  // One to find out, and one that is kept.
  expect(server.connections).toBe(2);
});

test.each([["h2"], ["http/1.1"]] as const)("calls go on after a restart of the server, over %s", async (protocol) => {
  const first = await started({ protocol });
  const transport = connected(first.connection);
  await transport.get(nodes, key);
  await first.close();
  const refused = await transport.get(nodes, key).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConnectionError);
  await started({ port: first.port, protocol });
  expect(await transport.get(nodes, key)).toEqual(node);
});

test("after a restart the server may speak another protocol", async () => {
  const first = await started({ protocol: "http/1.1" });
  const transport = connected(first.connection);
  await transport.get(nodes, key);
  await first.close();
  await transport.get(nodes, key).catch(() => undefined);
  const protocols: string[] = [];
  await started({
    port: first.port,
    protocol: "h2",
    answer: (exchange) => {
      protocols.push(exchange.protocol);
      answerNode(exchange);
    },
  });
  expect(await transport.get(nodes, key)).toEqual(node);
  expect(protocols).toEqual(["2.0"]);
});

test("connecting again waits longer after each failure, and all who wait share it", async () => {
  const server = await started();
  await server.close();
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  let dialled = 0;
  const transport = connected(server.connection, {
    clock,
    observer: { onConnection: (event) => void (dialled += event.kind === "failed" ? 1 : 0) },
    retries: { connectionAttempts: 1 },
  });
  const attempt = async () => {
    const calls = [1, 2, 3].map(() => transport.get(nodes, key).catch((error: unknown) => error));
    return await Promise.all(calls);
  };
  for (const error of await attempt())
    expect(error).toMatchObject({ code: "CONNECTION_FAILED", mayHaveArrived: false });
  expect(dialled).toBe(1);
  const second = attempt();
  await clock.advance(milliseconds(99));
  expect(dialled).toBe(1);
  await clock.advance(milliseconds(1));
  await second;
  expect(dialled).toBe(2);
});

test("a connection over which nothing comes any more is noticed", async () => {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const server = await started({ answer: () => undefined });
  const transport = connected(server.connection, { clock, retries: { connectionAttempts: 1 } });
  const call = transport.get(nodes, key).catch((error: unknown) => error);
  while (server.requests.length === 0) await turn();
  server.stall();
  await clock.advance(seconds(30));
  await clock.advance(seconds(15));
  expect(await call).toMatchObject({ code: "CONNECTION_FAILED", mayHaveArrived: true });
});

test("a connection that died while idle is noticed with the next call, which is sent again", async () => {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const server = await started();
  const transport = connected(server.connection, { clock });
  await transport.get(nodes, key);
  server.stall();
  await clock.advance(seconds(10));
  const call = transport.get(nodes, key);
  await clock.advance(seconds(15));
  expect(await call).toEqual(node);
  expect(server.connections).toBe(2);
});

test("a closed transport ends its calls and takes no others", async () => {
  const server = await started({ answer: () => undefined });
  const transport = connected(server.connection);
  const call = transport.create(nodes, node).catch((error: unknown) => error);
  while (server.requests.length === 0) await turn();
  transport.close();
  expect(await call).toBeInstanceOf(ConnectionError);
  await expect(transport.get(nodes, key)).rejects.toBeInstanceOf(TransportClosedError);
});

const other = makeTestCertificate("somebody", ["elsewhere.example"]);
const trusting: Readonly<Record<string, NonNullable<Connection["tls"]>>> = {
  "by its own authority": { authority: other.certificate, serverName: "elsewhere.example" },
  "blindly, if told so": { insecure: true },
};
test.each(Object.entries(trusting))("a server is trusted %s", async (_, tls) => {
  const server = await started({ certificate: other });
  expect(await connected({ ...server.connection, tls }).get(nodes, key)).toEqual(node);
});

const distrusting: Readonly<Record<string, readonly [tls: NonNullable<Connection["tls"]>, problem: RegExp]>> = {
  "an authority that nobody knows": [{ serverName: "elsewhere.example" }, /self-signed certificate/],
  "a certificate of another name": [{ authority: other.certificate }, /localhost/],
};
test.each(Object.entries(distrusting))("a server is refused for %s", async (_, [tls, problem]) => {
  const server = await started({ certificate: other });
  const transport = connected({ ...server.connection, tls }, { retries: { connectionAttempts: 1 } });
  const error = await transport.get(nodes, key).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { message: expect.stringMatching(problem) } });
});

test("a server that throws everybody out at once is not stormed, and works when it comes to its senses", async () => {
  const server = await started({
    answer: (exchange) => (server.connections < 4 ? exchange.drop() : answerNode(exchange)),
  });
  const waits: number[] = [];
  const delayAfter = (failures: number) => {
    waits.push(failures);
    return noTime;
  };
  const transport = connected(server.connection, { backoff: { delayAfter }, retries: { connectionAttempts: 10 } });
  expect(await transport.get(nodes, key)).toEqual(node);
  expect(server.connections).toBe(4);
  expect(waits).toEqual([1, 1, 1]);
});

test("a plain http server is spoken to without TLS", async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(node)));
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  expect(await connected({ server: `http://127.0.0.1:${port}` }).get(nodes, key)).toEqual(node);
});

test("one signal may serve many calls at once", async () => {
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => void warnings.push(warning);
  process.on("warning", onWarning);
  closing.push(() => process.off("warning", onWarning));
  const server = await started();
  const transport = connected(server.connection);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 50 }, () => transport.get(nodes, key, { signal })));
  await turn();
  expect(warnings).toEqual([]);
});

test("a client certificate is shown, and a renewed one on a new connection", async () => {
  const certificates = ["first", "second"].map((name) => makeTestCertificate(name, [name]));
  let at = 0;
  const credentials = { current: () => Promise.resolve(credentialOf[at] ?? {}) };
  const credentialOf = certificates.map((certificate) => ({ certificate }));
  const names: unknown[] = [];
  const server = await started({
    answer: (exchange) => {
      names.push(exchange.clientName);
      answerNode(exchange);
    },
  });
  const transport = connected({ ...server.connection, credentials });
  await transport.get(nodes, key);
  at = 1;
  await transport.get(nodes, key);
  expect(names).toEqual(["first", "second"]);
});

test("headers tell the server on whose behalf to act", async () => {
  const seen: unknown[] = [];
  const server = await started({
    answer: (exchange) => {
      const { headers } = exchange;
      seen.push(headers["impersonate-user"], headers["impersonate-group"], headers["impersonate-extra-a%2fb"]);
      answerNode(exchange);
    },
  });
  const impersonate = { user: "jane", groups: ["g1", "g2"], extra: { "a/b": ["x"] } };
  await connected({ ...server.connection, impersonate }).get(nodes, key);
  expect(seen).toEqual(["jane", "g1, g2", "x"]);
});

test.each(["localhost:6443", "ftp://a", ""])("%j leads to no server", (server) => {
  expect(() => createHttpTransport({ server })).toThrow(
    `a server is reached by an http or https URL, not by ${server}`,
  );
});

test("a path in the URL of the server goes before every request", async () => {
  const server = await started();
  const transport = connected({ ...server.connection, server: `${server.connection.server}/k8s/c-1/` });
  await transport.get(nodes, key);
  expect(server.requests).toEqual(["GET /k8s/c-1/api/v1/nodes/x"]);
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
