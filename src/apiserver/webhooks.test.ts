import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { fieldAt, type JsonObject } from "#machinery";
import { changed, openWebhook, reviewed, type WebhookServer } from "#apiserver/behaviour";
import type { HttpServer } from "#apiserver/http";
import { openLmdbStore, openMemoryStore } from "#apiserver/store";
import { openTestServer, type TestServer } from "./test-server.ts";
import { call, permissive, testTls } from "./test-wire.ts";

const json = { "content-type": "application/json", "user-agent": "teller/1.0" };
const namespace = "/api/v1/namespaces/default";
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

describe("webhooks, over the wire", () => {
  test("are told only what the caller said about how to write", async () => {
    const { hook, post } = await world(["configmaps"]);
    await post(`${namespace}/configmaps?fieldValidation=Strict`, { metadata: { name: "a" } });
    expect(hook.asked[0]?.request).toMatchObject({
      userInfo: { username: "admin", groups: ["system:masters"] },
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldValidation: "Strict" },
    });
    expect(fieldAt(hook.asked[0]?.request, "options")).not.toHaveProperty("fieldManager");
  });

  test("warn in headers, each warning once, also where they refuse", async () => {
    const { hook, post } = await world(["configmaps"]);
    hook.answer((asked) => reviewed(asked, { allowed: false, warnings: ['mind the "gap"', "again", "again"] }));
    const { code, headers } = await post(`${namespace}/configmaps`, { metadata: { name: "a" } });
    expect([code, headers["warning"]]).toEqual([400, String.raw`299 - "mind the \"gap\"", 299 - "again"`]);
  });

  test("are asked about evictions and reviews, which are not kept", async () => {
    const { hook, post } = await world(["pods/eviction", "selfsubjectreviews", "localsubjectaccessreviews"]);
    const spec = { containers: [{ name: "c", image: "i" }] };
    await post(`${namespace}/pods`, { metadata: { name: "p" }, spec });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
    hook.answer((asked) => reviewed(asked, { allowed: false }));
    expect((await post(`${namespace}/pods/p/eviction`, eviction)).code).toBe(400);
    hook.answer((asked) => reviewed(asked, {}));
    expect((await post(`${namespace}/pods/p/eviction`, eviction)).code).toBe(201);
    const kind = { group: "policy", version: "v1", kind: "Eviction" };
    expect(hook.asked.map(({ request }) => request)).toMatchObject(
      [0, 1].map(() => ({
        kind,
        resource: { group: "", version: "v1", resource: "pods" },
        subResource: "eviction",
        requestKind: kind,
        requestSubResource: "eviction",
        name: "p",
        namespace: "default",
        operation: "CREATE",
        object: { ...eviction, metadata: { name: "p", namespace: "default" } },
        options: { kind: "CreateOptions" },
      })),
    );
  });

  test("cannot change an object into one of another kind", async () => {
    const { hook, post } = await world(["configmaps"], "mutating");
    hook.answer((asked) => changed(asked, [{ op: "add", path: "/data", value: 5 }]));
    expect(JSON.parse((await post(`${namespace}/configmaps`, { metadata: { name: "a" } })).text)).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: expect.stringMatching(/^Internal error occurred: json: cannot unmarshal number into Go/),
    });
  });
});

describe("calls of webhooks", () => {
  test("go over connections that are kept", async () => {
    const { hook, post } = await world(["configmaps"]);
    for (const name of ["a", "b", "c"]) await post(`${namespace}/configmaps`, { metadata: { name } });
    expect([hook.asked.length, hook.connections]).toEqual([3, 1]);
  });

  test("go on over a new connection where the kept one has been closed", async () => {
    const { hook, post } = await world(["configmaps"]);
    await post(`${namespace}/configmaps`, { metadata: { name: "a" } });
    hook.hangUp();
    expect((await post(`${namespace}/configmaps`, { metadata: { name: "b" } })).code).toBe(201);
  });

  test("end when the server does", async () => {
    const { hook, subject, http } = await world(["configmaps"]);
    const asked = new Promise<void>((resolve) =>
      hook.answer(() => {
        resolve();
        return undefined;
      }),
    );
    const { transport } = subject;
    const write = transport.create(
      { group: "", version: "v1", resource: "configmaps" },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "a" } },
    );
    const outcome = write.then(
      () => "written",
      (error: unknown) => String(error),
    );
    await asked;
    closing.splice(1, 2);
    await http.close();
    await subject.close();
    expect(await outcome).toContain("context canceled");
  });

  test("end when the caller gives up, whatever the failure policy says", async () => {
    const { hook, subject } = await world(["configmaps"], "validating", { failurePolicy: "Ignore" });
    const enough = new AbortController();
    hook.answer(() => {
      enough.abort(new Error("enough"));
      return undefined;
    });
    const write = subject.transport.create(
      { group: "", version: "v1", resource: "configmaps" },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "a" } },
      { signal: enough.signal },
    );
    await expect(write).rejects.toThrow("enough");
  });

  test("are not made for the writes of a server that starts", async () => {
    const directory = await mkdtemp(join(tmpdir(), "capstan-webhooks-"));
    closing.push(() => rm(directory, { recursive: true }));
    const namespaces = { group: "", version: "v1", resource: "namespaces" };
    const first = await openTestServer(await openLmdbStore({ directory }));
    // Comes again with every start.
    await first.transport.delete(namespaces, { name: "kube-node-lease" });
    await first.server.settle();
    await first.transport.create(
      { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingwebhookconfigurations" },
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "hooks" },
        webhooks: [webhook("https://127.0.0.1:1/nobody", "", ["*"])],
      },
    );
    await first.close();
    const second = await openTestServer(await openLmdbStore({ directory }));
    expect(await second.transport.get(namespaces, { name: "kube-node-lease" })).toMatchObject({ kind: "Namespace" });
    const other = { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } };
    await expect(second.transport.create(namespaces, other)).rejects.toThrow("failed calling webhook");
    await second.close();
  });
});

interface World {
  readonly hook: WebhookServer;
  readonly subject: TestServer;
  readonly http: HttpServer;
  readonly post: (path: string, body: object) => ReturnType<typeof call>;
}

/** A server with one webhook that is asked about creates of some resources. */
async function world(
  resources: readonly string[],
  kind: "validating" | "mutating" = "validating",
  more: JsonObject = {},
): Promise<World> {
  const hook = await openWebhook((asked) => reviewed(asked, {}));
  const subject = await openTestServer(openMemoryStore());
  const { server } = subject;
  const { answered } = server;
  const http = await server.listen({ security: permissive, tls: testTls, log: silent, port: 0, answered });
  closing.push(
    () => hook.close(),
    () => subject.close(),
    () => http.close(),
  );
  const post = (path: string, body: object) =>
    call(http.port, path, { method: "POST", headers: json, body: JSON.stringify(body) });
  const created = await post(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
    metadata: { name: "hooks" },
    webhooks: [{ ...webhook(`${hook.url}/x`, hook.caBundle, resources), ...more }],
  });
  expect(created.code).toBe(201);
  return { hook, subject, http, post };
}

function webhook(url: string, caBundle: string, resources: readonly string[]): JsonObject {
  return {
    name: "x.example.com",
    clientConfig: { url, caBundle },
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources, operations: ["CREATE"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
}
