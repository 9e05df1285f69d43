import { gzipSync } from "node:zlib";
import { createFakeClock, minutes, parseTimestamp, seconds } from "#base";
import { ApiError, type KubeObject, type Transport } from "#machinery";
import { afterEach, describe, expect, test } from "vitest";
import { ConnectionError, DeadlineExceededError, MalformedAnswerError } from "../errors.ts";
import { type Exchange, startTestServer, type TestServer, type TestServerOptions } from "../test-server.ts";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "./http-transport.ts";

const widgets = { group: "example.com", version: "v1", resource: "widgets" };
const nodes = { group: "", version: "v1", resource: "nodes" };
const key = { namespace: "n", name: "a" };
const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { namespace: "n", name: "a" } };
const list = { apiVersion: "v1", kind: "NodeList", metadata: { resourceVersion: "7" }, items: [] };

const open: Disposable[] = [];
const servers: TestServer[] = [];
afterEach(async () => {
  for (const transport of open.splice(0)) transport[Symbol.dispose]();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Setting extends HttpTransportOptions {
  readonly server?: Omit<TestServerOptions, "answer">;
  readonly credentials?: Parameters<typeof createHttpTransport>[0]["credentials"];
}

async function serving(
  answer: (exchange: Exchange) => void | Promise<void>,
  { server: serverOptions, credentials, ...options }: Setting = {},
): Promise<{ readonly server: TestServer; readonly transport: HttpTransport }> {
  const server = await startTestServer({ ...serverOptions, answer });
  servers.push(server);
  const connection = { ...server.connection, ...(credentials === undefined ? {} : { credentials }) };
  const transport = createHttpTransport(connection, options);
  open.push(transport);
  return { server, transport };
}

const calls: Readonly<Record<string, readonly [call: (transport: Transport) => Promise<unknown>, asked: string]>> = {
  "get a namespaced object": [(t) => t.get(widgets, key), "GET /apis/example.com/v1/namespaces/n/widgets/a"],
  "get a cluster-wide object": [(t) => t.get(nodes, { name: "x" }), "GET /api/v1/nodes/x"],
  "get a subresource of a revision": [
    (t) => t.get(widgets, key, { subresource: "scale", resourceVersion: "5" }),
    "GET /apis/example.com/v1/namespaces/n/widgets/a/scale?resourceVersion=5",
  ],
  "a name that would lead elsewhere": [
    (t) => t.get(nodes, { name: "../secrets?x" }),
    "GET /api/v1/nodes/..%2Fsecrets%3Fx",
  ],
  "a name that is a direction": [(t) => t.get(nodes, { name: ".." }), "GET /api/v1/nodes/%2E%2E"],
  "list with everything": [
    (t) =>
      t.list(widgets, {
        namespace: "n",
        labelSelector: "a=b,c in (d)",
        fieldSelector: "metadata.name=x",
        limit: 3,
        continue: "t/+",
        resourceVersion: "0",
        resourceVersionMatch: "NotOlderThan",
      }),
    "GET /apis/example.com/v1/namespaces/n/widgets?labelSelector=a%3Db%2Cc%20in%20(d)&fieldSelector=metadata.name%3Dx&limit=3&continue=t%2F%2B&resourceVersion=0&resourceVersionMatch=NotOlderThan",
  ],
  "create with options": [
    (t) => t.create(widgets, widget, { dryRun: true, fieldManager: "m", fieldValidation: "Strict" }),
    "POST /apis/example.com/v1/namespaces/n/widgets?dryRun=All&fieldManager=m&fieldValidation=Strict",
  ],
  "create inside an object": [
    (t) => t.create(widgets, widget, { subresource: "eviction" }),
    "POST /apis/example.com/v1/namespaces/n/widgets/a/eviction",
  ],
  "update a status": [
    (t) => t.update(widgets, widget, { subresource: "status" }),
    "PUT /apis/example.com/v1/namespaces/n/widgets/a/status",
  ],
  "apply by force": [
    (t) => t.apply(widgets, widget, { fieldManager: "m", force: true }),
    "PATCH /apis/example.com/v1/namespaces/n/widgets/a?fieldManager=m&force=true",
  ],
  delete: [(t) => t.delete(widgets, key), "DELETE /apis/example.com/v1/namespaces/n/widgets/a"],
  "delete a collection": [
    (t) => t.deleteCollection(widgets, { namespace: "n", labelSelector: "a" }),
    "DELETE /apis/example.com/v1/namespaces/n/widgets?labelSelector=a",
  ],
};

describe.each(["h2", "http/1.1"] as const)("over %s", (protocol) => {
  const over = { protocols: [protocol] };

  test.each(Object.entries(calls))("%s", async (_, [call, asked]) => {
    const { server, transport } = await serving((exchange) => exchange.json({ ...widget, items: [] }), over);
    await call(transport);
    expect(server.requests).toEqual([asked]);
  });

  test("bodies and their types are those of the verbs", async () => {
    const bodies: unknown[] = [];
    const { transport } = await serving((exchange) => {
      bodies.push([exchange.headers["content-type"], JSON.parse(exchange.body)]);
      exchange.json(widget);
    }, over);
    await transport.create(widgets, widget);
    await transport.patch(widgets, key, { kind: "json", operations: [{ op: "remove", path: "/spec" }] });
    await transport.patch(widgets, key, { kind: "merge", patch: { spec: null } });
    await transport.patch(widgets, key, { kind: "strategic", patch: { spec: { size: 2n ** 60n } } });
    await transport.apply(widgets, widget, { fieldManager: "m" });
    await transport.delete(widgets, key, { propagationPolicy: "Orphan", preconditions: { uid: "u" }, dryRun: true });
    expect(bodies).toEqual([
      ["application/json", widget],
      ["application/json-patch+json", [{ op: "remove", path: "/spec" }]],
      ["application/merge-patch+json", { spec: null }],
      ["application/strategic-merge-patch+json", { spec: { size: 2 ** 60 } }],
      ["application/apply-patch+yaml", widget],
      [
        "application/json",
        {
          kind: "DeleteOptions",
          apiVersion: "v1",
          propagationPolicy: "Orphan",
          preconditions: { uid: "u" },
          dryRun: ["All"],
        },
      ],
    ]);
  });

  test("a refusal is an ApiError with the server's own words", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'widgets.example.com "a" not found',
      reason: "NotFound",
      details: { name: "a", group: "example.com", kind: "widgets" },
      code: 404,
    };
    const { transport } = await serving((exchange) => exchange.json(status, { status: 404 }), over);
    const error = await transport.get(widgets, key).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status });
  });

  test("large answers come compressed, and warnings are passed on", async () => {
    const warnings: string[] = [];
    const { transport } = await serving(({ headers, response }) => {
      expect(headers["accept-encoding"]).toBe("gzip");
      response.setHeader("content-encoding", "gzip");
      response.setHeader("warning", ['299 - "first, \\"quoted\\""', '299 - "second"', '199 - "not for people"']);
      response.end(gzipSync(JSON.stringify({ ...widget, spec: { text: "x".repeat(300_000) } })));
    }, over);
    const object = await transport.get(widgets, key, { onWarning: (text) => warnings.push(text) });
    expect(object["spec"]).toEqual({ text: "x".repeat(300_000) });
    expect(warnings).toEqual(['first, "quoted"', "second"]);
    expect(Object.isFrozen(object["spec"])).toBe(true);
  });

  const badAnswers: Readonly<Record<string, readonly [answer: (exchange: Exchange) => void, message: RegExp]>> = {
    "what is not JSON": [({ response }) => response.end("<html>"), /nodes\/x: the answer is not JSON: "<html>"/],
    "what is no object": [({ json }) => json([]), /the answer is not an object with apiVersion, kind and metadata/],
    "an answer without bounds": [({ response }) => response.end("x".repeat(2000)), /is larger than 1000 bytes/],
    "compressed data without bounds": [
      ({ response }) => {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync("x".repeat(100_000)));
      },
      /is larger than 1000 bytes/,
    ],
    "compressed garbage": [
      ({ response }) => {
        response.setHeader("content-encoding", "gzip");
        response.end("no");
      },
      /cannot be decompressed/,
    ],
    "an encoding nobody asked for": [
      ({ response }) => {
        response.setHeader("content-encoding", "br");
        response.end("no");
      },
      /unknown encoding br/,
    ],
  };
  test.each(Object.entries(badAnswers))("%s is refused", async (_, [answer, message]) => {
    const { transport } = await serving(answer, { ...over, mostAnswerBytes: 1000 });
    const error = await transport.get(nodes, { name: "x" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MalformedAnswerError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
  });

  test("a read whose answer breaks off is sent again, a write is not", async () => {
    let broken = 0;
    const { server, transport } = await serving((exchange) => {
      if (broken++ > 0) return exchange.json(widget);
      exchange.response.write('{"kind');
      setImmediate(() => exchange.drop());
    }, over);
    expect(await transport.get(widgets, key)).toEqual(widget);
    expect(server.requests).toHaveLength(2);
    broken = 0;
    const error = await transport.create(widgets, widget).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(server.requests).toHaveLength(3);
  });

  test("a probe asks for nothing but a good answer, and does not wait for its turn", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    const answers = [
      { status: 200, body: "ok" },
      { status: 500, body: "no" },
      { status: 401, body: "{}" },
      { status: 200, body: "x".repeat(2 * 1024 * 1024) },
    ];
    const { transport } = await serving(
      ({ response }) => {
        const { status = 200, body = "" } = answers.shift() ?? {};
        response.writeHead(status);
        response.end(body);
      },
      { ...over, clock, rateLimit: { qps: 0.001, burst: 1 } },
    );
    expect(await transport.probe("/")).toBeUndefined();
    await expect(transport.probe("/")).rejects.toMatchObject({ httpCode: 500 });
    await expect(transport.probe("/")).rejects.toMatchObject({ httpCode: 401 });
    await expect(transport.probe("/")).rejects.toBeInstanceOf(MalformedAnswerError);
  });

  test("answers that are too large together are not read to their end", async () => {
    const waiting: Exchange[] = [];
    const { transport } = await serving(
      (exchange) => {
        waiting.push(exchange);
        exchange.response.write(JSON.stringify(widget).padEnd(600));
      },
      { ...over, mostBytesAtOnce: 1000 },
    );
    const gets = [transport.get(widgets, key), transport.get(widgets, key)];
    const refused = await Promise.race(gets).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MalformedAnswerError);
    for (const { response } of waiting) response.end();
    const results = await Promise.allSettled(gets);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const third = transport.get(widgets, key);
    while (waiting.length < 3) await new Promise((resolve) => setImmediate(resolve));
    waiting.at(-1)?.response.end();
    expect(await third).toEqual(widget);
  });

  test("a signal ends a call, and the reason is its error", async () => {
    const stop = new AbortController();
    const { transport } = await serving(() => stop.abort(new Error("enough")), over);
    await expect(transport.get(widgets, key, { signal: stop.signal })).rejects.toThrow("enough");
    await expect(transport.get(widgets, key, { signal: stop.signal })).rejects.toThrow("enough");
  });

  test("a server that does not answer runs into the deadline, within the answer as well", async () => {
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    let asked = (): void => undefined;
    for (const begins of [false, true]) {
      const arrived = new Promise<void>((resolve) => (asked = resolve));
      const { transport } = await serving(
        ({ response }) => {
          if (begins) response.write("{");
          asked();
        },
        { ...over, clock, requestTimeout: minutes(1), pingAfter: minutes(10) },
      );
      const call = transport.get(widgets, key).catch((thrown: unknown) => thrown);
      await arrived;
      await clock.advance(minutes(1));
      expect(await call).toBeInstanceOf(DeadlineExceededError);
    }
  });
});

describe("retries", () => {
  const clock = () => createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));

  test.each([429, 503])("%i with Retry-After is waited for, for writes as well", async (status) => {
    const time = clock();
    let refusals = 2;
    const retries: unknown[] = [];
    const { server, transport } = await serving(
      (exchange) => {
        if (refusals-- > 0) exchange.json({}, { status, headers: { "retry-after": "7" } });
        else exchange.json(widget);
      },
      { clock: time, observer: { onRetry: (retry) => retries.push(retry) } },
    );
    const call = transport.create(widgets, widget);
    for (const expected of [1, 2]) {
      while (retries.length < expected) await new Promise((resolve) => setImmediate(resolve));
      await time.advance(seconds(7));
    }
    expect(await call).toEqual(widget);
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toBe(1);
    expect(retries[0]).toEqual({ verb: "create", why: `answered ${status}`, after: seconds(7) });
  });

  const refusals: Readonly<Record<string, readonly [status: number, headers: Record<string, string>]>> = {
    "429 that does not say when": [429, {}],
    "503 that asks for more than is waited": [503, { "retry-after": "31" }],
    "500, whatever it says": [500, { "retry-after": "1" }],
    "504, which may come after work was done": [504, { "retry-after": "1" }],
  };
  test.each(Object.entries(refusals))("%s is the caller's", async (_, [status, headers]) => {
    const { server, transport } = await serving((exchange) => exchange.json({}, { status, headers }));
    await expect(transport.get(widgets, key)).rejects.toMatchObject({ httpCode: status });
    expect(server.requests).toHaveLength(1);
  });

  test("a refused credential is renewed once", async () => {
    let token = 0;
    const credentials = {
      current: ({ refused }: { readonly refused?: object } = {}) => {
        if (refused === credentialsOf[token] && token < 2) token++;
        return Promise.resolve(credentialsOf[token] ?? {});
      },
    };
    const credentialsOf = [{ authorization: "Bearer 0" }, { authorization: "Bearer 1" }, { authorization: "Bearer 2" }];
    const { server, transport } = await serving(
      ({ headers, json }) => json(widget, { status: headers["authorization"] === "Bearer 1" ? 200 : 401 }),
      { credentials },
    );
    expect(await transport.get(widgets, key)).toEqual(widget);
    expect(server.requests).toHaveLength(2);
    token = 2;
    await expect(transport.get(widgets, key)).rejects.toMatchObject({ reason: "Unauthorized" });
    expect(server.requests).toHaveLength(3);
  });
});

const generic: readonly (readonly [number, string, string])[] = [
  [404, "NotFound", "the server could not find the requested resource (get nodes x)"],
  [403, "Forbidden", "the server does not allow access to the requested resource (get nodes x)"],
  [418, "InternalError", 'an error on the server ("teapot") has prevented the request from succeeding (get nodes x)'],
];
test.each(generic)("an answer %i without a Status still has a reason", async (status, reason, message) => {
  const { transport } = await serving(({ response }) => {
    response.writeHead(status, { "content-type": "text/plain" });
    response.end("teapot");
  });
  await expect(transport.get(nodes, { name: "x" })).rejects.toMatchObject({ reason, message, httpCode: status });
});

test("members of a list get the kind that the list implies", async () => {
  const item = { metadata: { name: "x" } };
  const { transport } = await serving((exchange) => exchange.json({ ...list, items: [item] }));
  expect((await transport.list(nodes)).items).toEqual([{ apiVersion: "v1", kind: "Node", ...item }]);
});

test("a list of metadata is asked for in its own form", async () => {
  const accepted: unknown[] = [];
  const { transport } = await serving(({ headers, json }) => {
    accepted.push(headers["accept"]);
    json(list);
  });
  const listed = await transport.list(nodes, { metadataOnly: true });
  const unfrozen = await transport.list(nodes, { unfrozen: true });
  expect(accepted).toEqual([
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
    "application/json",
  ]);
  expect([Object.isFrozen(listed), Object.isFrozen(unfrozen)]).toEqual([true, false]);
});

test("an observer is told every request", async () => {
  const reports: unknown[] = [];
  const { transport } = await serving((exchange) => exchange.json(widget), {
    observer: { onRequest: (report) => reports.push(report) },
  });
  await transport.get(widgets, key);
  expect(reports).toMatchObject([{ verb: "get", method: "GET", resource: widgets, status: 200 }]);
});
