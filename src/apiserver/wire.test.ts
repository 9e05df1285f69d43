import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpServer } from "#apiserver/http";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer, type TestServer } from "./test-server.ts";
import { call, openSession, permissive, testTls, type WireCall } from "./test-wire.ts";

let subject: TestServer;
let http: HttpServer;

const widgetsPath = "/apis/ex.io/v1/namespaces/default/widgets";
const configMaps = "/api/v1/namespaces/default/configmaps";
const json = { "content-type": "application/json" };
const table = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

beforeAll(async () => {
  subject = await openTestServer(openMemoryStore());
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  http = await subject.server.listen({ security: permissive, tls: testTls, log, port: 0 });
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  await subject.server.settle();
  await post(widgetsPath, { ...widget("w1"), spec: { size: 3, list: [{ name: "a" }, { name: "b" }] } });
});

afterAll(async () => {
  await http.close();
  await subject.close();
});

describe("paths", () => {
  const answers: Readonly<Record<string, readonly [WireCall & { path: string }, number, string]>> = {
    "a path of no group": [{ path: "/foo" }, 404, "404 page not found\n"],
    "an unknown group": [{ path: "/apis/nope/v1/things" }, 404, "404 page not found\n"],
    "an unknown resource of a custom group": [{ path: "/apis/ex.io/v1/gadgets" }, 404, "404 page not found\n"],
    "an unknown resource of a built-in group": [
      { path: "/apis/apps/v1/foos" },
      404,
      "the server could not find the requested resource",
    ],
    "a cluster resource in a namespace": [
      { path: "/api/v1/namespaces/default/nodes" },
      404,
      "the server could not find the requested resource",
    ],
    "an object without its namespace": [
      { path: "/api/v1/configmaps/a1" },
      404,
      "the server could not find the requested resource",
    ],
    "PUT of a collection": [
      { path: configMaps, method: "PUT" },
      405,
      "the server does not allow this method on the requested resource",
    ],
    "an unknown part of a custom resource": [{ path: `${widgetsPath}/w1/foo` }, 404, 'widgets.ex.io "w1" not found'],
    "DELETE of a status": [
      { path: `${widgetsPath}/w1/status`, method: "DELETE" },
      405,
      'delete is not supported on resources of kind "widgets.ex.io"',
    ],
    "an unknown content type": [
      { path: configMaps, method: "POST", body: "x", headers: { "content-type": "text/plain" } },
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ],
    "a patch of no kind, built-in": [
      { path: `${configMaps}/a1`, method: "PATCH", body: "{}", headers: json },
      415,
      "415: Unsupported Media Type",
    ],
    "a patch of no kind, custom": [
      { path: `${widgetsPath}/w1`, method: "PATCH", body: "{}", headers: json },
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    ],
    "an unknown form of answer, built-in": [
      { path: configMaps, headers: { accept: "text/html" } },
      406,
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    ],
    "an unknown form of answer, custom": [
      { path: widgetsPath, headers: { accept: "text/html" } },
      406,
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ],
    "an unknown view": [
      { path: configMaps, headers: { accept: "application/json;as=Foo;g=meta.k8s.io;v=v1" } },
      406,
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ],
    "a body that is no JSON": [
      { path: widgetsPath, method: "POST", body: "{", headers: json },
      400,
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
    ],
    "a body without a kind": [
      { path: widgetsPath, method: "POST", body: "{}", headers: json },
      400,
      "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{}' ({})",
    ],
    "an apply of nothing": [
      {
        path: `${widgetsPath}/w1?fieldManager=a`,
        method: "PATCH",
        body: "{}",
        headers: { "content-type": "application/apply-patch+yaml" },
      },
      400,
      "invalid object type: /, Kind=",
    ],
    "a wrong duration": [
      { path: `${configMaps}?timeout=abc` },
      400,
      'invalid timeout specified in the request URL - time: invalid duration "abc"',
    ],
    "a wrong number": [{ path: `${configMaps}?limit=abc` }, 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    "a wrong part of a row": [
      { path: `${configMaps}?includeObject=Foo`, headers: table },
      400,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty",
    ],
    "too little time": [
      { path: `${configMaps}?timeout=1ns` },
      504,
      "Timeout: request did not complete within the allotted timeout",
    ],
  };
  test.each(Object.entries(answers))("%s", async (_, [{ path, ...options }, code, message]) => {
    const answer = await call(http.port, path, options);
    expect(answer.code).toBe(code);
    expect(answer.text.startsWith("{") ? JSON.parse(answer.text).message : answer.text).toBe(message);
    expect(answer.headers["audit-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("options", () => {
  const cm = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a1" } });
  const refusals: Readonly<Record<string, readonly [string, WireCall, string]>> = {
    "an unknown dry run": [
      `${configMaps}?dryRun=Some`,
      { method: "POST", body: cm, headers: json },
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    "three wrong options at once": [
      `${configMaps}?fieldManager=a%01b&dryRun=x&fieldValidation=y`,
      { method: "POST", body: cm, headers: json },
      'CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "a\\x01b": invalid character U+0001 (at position 1), dryRun: Unsupported value: ["x"]: supported values: "All", fieldValidation: Unsupported value: "y": supported values: "", "Ignore", "Strict", "Warn"]',
    ],
    "force without apply": [
      `${configMaps}/a1?force=true`,
      { method: "PATCH", body: "{}", headers: { "content-type": "application/merge-patch+json" } },
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    "apply without a manager": [
      `${configMaps}/a1`,
      { method: "PATCH", body: cm, headers: { "content-type": "application/apply-patch+yaml" } },
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    "an unknown policy": [
      `${configMaps}/a1?propagationPolicy=Foo`,
      { method: "DELETE" },
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    "two policies": [
      `${configMaps}/a1?orphanDependents=true&propagationPolicy=Orphan`,
      { method: "DELETE" },
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    "initial events of a list": [
      `${configMaps}?sendInitialEvents=true`,
      {},
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  };
  test.each(Object.entries(refusals))("%s", async (_, [path, options, message]) => {
    const answer = await call(http.port, path, options);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 422, reason: "Invalid", message });
  });
});

describe("answers", () => {
  test("a table has the declared columns, and cells of their types", async () => {
    const { text } = await call(http.port, widgetsPath, { headers: table });
    const { kind, columnDefinitions, rows } = JSON.parse(text);
    expect(kind).toBe("Table");
    expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      "Name",
      "Size",
      "Age",
      "Names",
      "Ready",
    ]);
    expect(rows[0]).toMatchObject({ cells: ["w1", 3, "0s", "a", null], object: { kind: "PartialObjectMetadata" } });
  });

  test("metadata comes alone when it is asked for", async () => {
    const as = (view: string) => ({ accept: `application/json;as=${view};g=meta.k8s.io;v=v1` });
    const one = await call(http.port, `${widgetsPath}/w1`, { headers: as("PartialObjectMetadata") });
    expect(JSON.parse(one.text)).toMatchObject({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" });
    expect(JSON.parse(one.text).spec).toBeUndefined();
    const list = await call(http.port, widgetsPath, { headers: as("PartialObjectMetadataList") });
    expect(JSON.parse(list.text)).toMatchObject({
      kind: "PartialObjectMetadataList",
      items: [{ metadata: { name: "w1" } }],
    });
  });

  test("YAML is read with its old booleans, and written", async () => {
    const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\n  labels: {y: 'a'}\n";
    const created = await call(http.port, configMaps, {
      method: "POST",
      body,
      headers: { "content-type": "application/yaml" },
    });
    expect(JSON.parse(created.text).metadata.labels).toEqual({ true: "a" });
    const read = await call(http.port, `${configMaps}/yaml`, { headers: { accept: "application/yaml" } });
    expect(read.headers["content-type"]).toBe("application/yaml");
    expect(read.text).toContain("name: yaml\n");
  });

  test("unknown and duplicate fields are warned of", async () => {
    const body =
      '{"apiVersion":"ex.io/v1","kind":"Widget","metadata":{"name":"w2"},"spec":{"size":1,"size":2,"nope":1}}';
    const { headers, code } = await call(http.port, widgetsPath, { method: "POST", body, headers: json });
    expect(code).toBe(201);
    expect(headers["warning"]).toBe('299 - "duplicate field \\"spec.size\\"", 299 - "unknown field \\"spec.nope\\""');
  });

  test("what a write owns goes by the name of the client", async () => {
    const headers = { ...json, "user-agent": "tool/1.2 (linux)" };
    const { text } = await call(http.port, widgetsPath, {
      method: "POST",
      body: JSON.stringify(widget("w3")),
      headers,
    });
    expect(JSON.parse(text).metadata.managedFields[0].manager).toBe("tool");
  });

  test("apply says whether it created", async () => {
    const headers = { "content-type": "application/apply-patch+yaml" };
    const body = JSON.stringify(widget("w4"));
    const apply = () => call(http.port, `${widgetsPath}/w4?fieldManager=a`, { method: "PATCH", body, headers });
    expect([(await apply()).code, (await apply()).code]).toEqual([201, 200]);
  });

  test("large answers are compressed for who takes it", async () => {
    const data = { text: "x".repeat(300_000) };
    await post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "large" }, data });
    const session = openSession(http.port);
    const stream = session.request({ ":path": `${configMaps}/large`, "accept-encoding": "gzip" });
    const [headers] = await once(stream, "response");
    expect(headers["content-encoding"]).toBe("gzip");
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()).data).toEqual(data);
    session.destroy();
  });

  test("discovery is the same until something changes", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const first = await call(http.port, "/apis", { headers: { accept } });
    expect(first.headers["content-type"]).toBe("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    const again = await call(http.port, "/apis", {
      headers: { accept, "if-none-match": String(first.headers["etag"]) },
    });
    expect([again.code, again.text]).toEqual([304, ""]);
  });

  test("what is kept in which form is told by a hash", async () => {
    const { text } = await call(http.port, "/apis/ex.io/v1");
    const [found] = JSON.parse(text).resources;
    expect(found).toMatchObject({ name: "widgets", storageVersionHash: "RDFwhYKgK0s=", shortNames: ["wd"] });
  });

  test("health tells its checks", async () => {
    const { text } = await call(http.port, "/livez?verbose&exclude=ping&exclude=nope");
    expect(text).toContain("[+]ping excluded: ok\n[+]log ok\n");
    expect(text).toContain('warn: some health checks cannot be excluded: no matches for "nope"\nlivez check passed\n');
  });

  test("the documents of the API hold what kubectl looks for", async () => {
    const index = JSON.parse((await call(http.port, "/openapi/v3")).text);
    const { serverRelativeURL } = index.paths["apis/ex.io/v1"];
    const answer = await call(http.port, serverRelativeURL);
    expect(answer.headers["cache-control"]).toBe("public, immutable");
    const patch = JSON.parse(answer.text).paths["/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}"].patch;
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({ group: "ex.io", version: "v1", kind: "Widget" });
    expect(patch.parameters.map(({ name }: { name: string }) => name)).toContain("fieldValidation");
  });
});

describe("watches", () => {
  test("events come as lines, with a bookmark after what was there", async () => {
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const session = openSession(http.port);
    const stream = session.request({ ":path": `${widgetsPath}?${query}&fieldSelector=metadata.name%3Dw1` });
    const lines = linesOf(stream);
    expect((await lines.next()).value).toMatchObject({ type: "ADDED", object: { metadata: { name: "w1" } } });
    const bookmark = { metadata: { annotations: { "k8s.io/initial-events-end": "true" } } };
    expect((await lines.next()).value).toMatchObject({ type: "BOOKMARK", object: bookmark });
    const headers = { "content-type": "application/merge-patch+json" };
    await call(http.port, `${widgetsPath}/w1`, { method: "PATCH", body: '{"spec":{"size":4}}', headers });
    expect((await lines.next()).value).toMatchObject({ type: "MODIFIED", object: { spec: { size: 4 } } });
    session.destroy();
  });

  test("a table tells its columns once", async () => {
    const session = openSession(http.port);
    const stream = session.request({ ":path": `${configMaps}?watch=1`, ...table });
    const lines = linesOf(stream);
    expect((await lines.next()).value.object.columnDefinitions).not.toBeNull();
    expect((await lines.next()).value.object.columnDefinitions).toBeNull();
    session.destroy();
  });
});

async function* linesOf(stream: AsyncIterable<Buffer>) {
  let text = "";
  for await (const chunk of stream) {
    text += chunk.toString();
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

async function post(path: string, body: object): Promise<void> {
  const answer = await call(http.port, path, { method: "POST", body: JSON.stringify(body), headers: json });
  expect([answer.code, answer.code === 201 ? "" : answer.text]).toEqual([201, ""]);
}

function widget(name: string) {
  return { apiVersion: "ex.io/v1", kind: "Widget", metadata: { name }, spec: { size: 1 } };
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          { name: "Names", type: "string", jsonPath: ".spec.list[*].name" },
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  list: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};
