import { once } from "node:events";
import type { ClientHttp2Stream } from "node:http2";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HttpServer } from "#apiserver/http";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer, type TestServer } from "./test-server.ts";
import { call, openSession, permissive, testTls } from "./test-wire.ts";

let subject: TestServer;
let http: HttpServer;

const count = 120;
const configMaps = { group: "", version: "v1", resource: "configmaps" };
const path = "/api/v1/namespaces/default/configmaps";
const names = Array.from({ length: count }, (_, index) => `long-${String(index).padStart(3, "0")}`);

beforeAll(async () => {
  subject = await openTestServer(openMemoryStore());
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  http = await subject.server.listen({ security: permissive, tls: testTls, log, port: 0 });
  const transport = subject.server.transport();
  const create = (name: string) =>
    transport.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name },
      ...{ data: { text: `${name} é`.repeat(500) } },
    });
  await Promise.all(names.map(create));
});

afterAll(async () => {
  await http.close();
  await subject.close();
});

test("a long list comes whole, compressed or not, in either version of HTTP", async () => {
  const plain = await call(http.port, path);
  expect(JSON.parse(plain.text).items.map(nameOf)).toEqual(names);
  const session = openSession(http.port);
  const stream = session.request({ ":path": path, "accept-encoding": "gzip" });
  const [headers] = await once(stream, "response");
  expect(headers).toMatchObject({ ":status": 200, "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(gunzipSync(await bytesOf(stream)).toString()).toBe(plain.text);
  session.destroy();
});

test("a long table comes whole", async () => {
  const headers = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
  const answer = await call(http.port, `${path}?includeObject=Object`, { headers });
  expect(JSON.parse(answer.text).rows.map((row: { object: object }) => nameOf(row.object))).toEqual(names);
});

test("who leaves in the middle of a long list does no harm", async () => {
  const session = openSession(http.port);
  const stream = session.request({ ":path": path });
  stream.on("error", () => undefined);
  await once(stream, "data");
  stream.close();
  const again = session.request({ ":path": `${path}/long-000` });
  expect(JSON.parse((await bytesOf(again)).toString()).metadata.name).toBe("long-000");
  session.destroy();
});

async function bytesOf(stream: ClientHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function nameOf(object: object): unknown {
  return Reflect.get(Object(Reflect.get(object, "metadata")), "name");
}
