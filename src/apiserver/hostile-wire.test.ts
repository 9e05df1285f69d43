import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { milliseconds, seconds } from "#base";
import { protobufMediaType } from "#apiserver/protobuf";
import type { HttpServer } from "#apiserver/http";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer, type TestServer } from "./test-server.ts";
import { call, identity, openSession, openSocket, permissive, testTls, untilClosed } from "./test-wire.ts";

let subject: TestServer;
let http: HttpServer;

const configMaps = "/api/v1/namespaces/default/configmaps";
const json = { "content-type": "application/json" };
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

beforeEach(async () => {
  subject = await openTestServer(openMemoryStore());
  const limits = { head: milliseconds(300), reads: 2, writes: 1, queue: 1 };
  http = await subject.server.listen({ security: permissive, tls: testTls, log, port: 0, limits });
});

afterEach(async () => {
  await http.close();
  await subject.close();
});

/** Whatever happened before, the server still serves. */
async function health(): Promise<string> {
  return (await call(http.port, "/healthz")).text;
}

test("a body that is cut off takes nothing down", async () => {
  const socket = await openSocket(http.port);
  socket.write(
    `POST ${configMaps} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
  );
  socket.destroy();
  expect(await health()).toBe("ok");
});

test("a stream that is cut off takes nothing down", async () => {
  const session = openSession(http.port);
  const stream = session.request({ ":method": "POST", ":path": configMaps, ...json });
  stream.on("error", () => undefined);
  stream.write('{"apiVersion"');
  session.destroy();
  expect(await health()).toBe("ok");
});

test("a body larger than any may be is refused, announced or not", async () => {
  const message = "Request entity too large: limit is 3145728";
  const body = Buffer.alloc(3_145_729, 0x20);
  const announced = await call(http.port, configMaps, { method: "POST", body, headers: json });
  expect(JSON.parse(announced.text)).toMatchObject({ code: 413, reason: "RequestEntityTooLarge", message });
  const session = openSession(http.port);
  const stream = session.request({ ":method": "POST", ":path": configMaps, ...json });
  stream.on("error", () => undefined);
  stream.end(body);
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(413);
  session.destroy();
});

test("text that is no UTF-8 is refused", async () => {
  const body = Buffer.concat([Buffer.from('{"kind":"ConfigMap","a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  const answer = await call(http.port, configMaps, { method: "POST", body, headers: json });
  expect(answer.code).toBe(400);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["no envelope", Buffer.from("hello")],
  ["an envelope that ends early", Buffer.concat([Buffer.from("k8s\0"), Buffer.from([0x0a, 0x7f, 0x01])])],
  ["lengths beyond all bounds", Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(40, 0xff)])],
])("malformed protobuf is refused: %s", async (_, body) => {
  const answer = await call(http.port, configMaps, {
    method: "POST",
    body,
    headers: { "content-type": protobufMediaType },
  });
  expect(JSON.parse(answer.text)).toMatchObject({ code: 400, reason: "BadRequest" });
});

test("JSON of great depth is refused", async () => {
  const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const answer = await call(http.port, configMaps, { method: "POST", body, headers: json });
  expect(answer.code).toBe(400);
});

test("a head that comes drop by drop is cut off", async () => {
  const socket = await openSocket(http.port);
  socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n");
  const text = await untilClosed(socket);
  expect(text === "" || text.startsWith("HTTP/1.1 4")).toBe(true);
  expect(await health()).toBe("ok");
});

test("a connection that never speaks TLS is cut off", async () => {
  const socket = connect(http.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "close");
  const silent = connect(http.port, "127.0.0.1");
  silent.on("error", () => undefined);
  await once(silent, "close");
  expect(await health()).toBe("ok");
});

test("a connection over which no request comes is closed", async () => {
  const session = openSession(http.port);
  await once(session, "close");
  expect(await health()).toBe("ok");
});

test("a body that does not come takes no longer than any request may", async () => {
  const socket = await openSocket(http.port, identity("joe"));
  const head = `POST ${configMaps} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`;
  socket.write(`${head}{"a"`);
  while (!(await call(http.port, "/metrics")).text.includes('request_kind="mutating"} 1')) {
    // Until the request has arrived.
  }
  const text = untilClosed(socket);
  await subject.clock.advance(seconds(61));
  expect(await text).toMatch(/^HTTP\/1\.1 504/);
});

test("a head larger than any may be is refused", async () => {
  const answer = await call(http.port, "/healthz", { headers: { "x-large": "x".repeat(100_000) } }).catch(
    (error: unknown) => error,
  );
  expect(answer instanceof Error || (answer as { code: number }).code >= 400).toBe(true);
  expect(await health()).toBe("ok");
});

test("a client that only begins and cancels is disconnected", async () => {
  const session = openSession(http.port);
  await once(session, "connect");
  const closed = new Promise((resolve) => session.once("close", resolve));
  for (let count = 0; count < 5000 && !session.destroyed; count += 1) {
    const stream = session.request({ ":path": "/healthz" });
    stream.on("error", () => undefined);
    stream.close(8);
    if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  expect(await health()).toBe("ok");
});

test("who asks for too much at once is told to come again", async () => {
  // Conversions and the disk take their time; here a body that does not come keeps the only place for writers.
  const session = openSession(http.port);
  const headers = { ":method": "POST", ":path": configMaps, ...json };
  const asJoe = { as: "joe", method: "POST", body: "{}", headers: json } as const;
  const slow = await openSocket(http.port, identity("joe"));
  slow.write(`POST ${configMaps} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`);
  session
    .request(headers)
    .on("error", () => undefined)
    .close();
  const waiting = [
    call(http.port, configMaps, asJoe),
    call(http.port, configMaps, asJoe),
    call(http.port, configMaps, asJoe),
  ];
  const first = await Promise.race(waiting);
  expect(first.code).toBe(429);
  expect(first.headers["retry-after"]).toBe("1");
  expect(JSON.parse(first.text)).toMatchObject({ reason: "TooManyRequests", details: { retryAfterSeconds: 1 } });
  slow.destroy();
  await Promise.all(waiting);
  session.destroy();
});

test("a server that stops says so, ends watches and finishes what is under way", async () => {
  const session = openSession(http.port);
  const watch = session.request({ ":path": `${configMaps}?watch=1` });
  watch.on("error", () => undefined);
  await once(watch, "response");
  const ended = once(watch.resume(), "end");
  const closing = http.close();
  await ended;
  await closing;
  await expect(call(http.port, "/healthz")).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket/);
  session.destroy();
});
