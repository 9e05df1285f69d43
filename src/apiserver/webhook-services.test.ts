import type { JsonObject, KubeObject } from "#machinery";
import { openWebhook, reviewed, type WebhookServer } from "#apiserver/behaviour";
import { openMemoryStore } from "#apiserver/store";
import { afterEach, describe, expect, test } from "vitest";
import { openTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const services = { group: "", version: "v1", resource: "services" };
const hooks = { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingwebhookconfigurations" };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

describe("a webhook that is known as a service", () => {
  test("is where the operator says", async () => {
    const hook = await opened();
    const known = new Map([["default/hook", { host: "127.0.0.1", port: hook.port }]]);
    const server = await serving(
      hook,
      { namespace: "default", name: "hook", path: "/path" },
      { webhookServices: known },
    );
    await write(server);
    expect(hook.asked.map(({ path, headers }) => [path, headers["host"]])).toEqual([
      ["/path?timeout=10s", "hook.default.svc:443"],
    ]);
  });

  test("is on this machine, at the port that the service leads to", async () => {
    const hook = await opened();
    const server = await serving(hook, { namespace: "default", name: "hook" });
    await server.transport.create(services, service({ ports: [{ port: 443, targetPort: hook.port }] }));
    await write(server);
    expect(hook.asked.map(({ path }) => path)).toEqual(["/?timeout=10s"]);
  });

  test("is at the port of the service itself where that leads to a name", async () => {
    const hook = await opened();
    const server = await serving(hook, { namespace: "default", name: "hook", port: hook.port });
    await server.transport.create(services, service({ ports: [{ port: hook.port, targetPort: "webhooks" }] }));
    await write(server);
    expect(hook.asked).toHaveLength(1);
  });

  test("has to show a certificate for the name of the service", async () => {
    const hook = await opened();
    const known = new Map([["other/hook", { host: "127.0.0.1", port: hook.port }]]);
    const server = await serving(hook, { namespace: "other", name: "hook" }, { webhookServices: known });
    await expect(write(server)).rejects.toThrow(
      'Post "https://hook.other.svc:443/?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for hook.default.svc, not hook.other.svc',
    );
    expect(hook.asked).toEqual([]);
  });

  test("is not found where there is no such service, or no such port", async () => {
    const hook = await opened();
    const server = await serving(hook, { namespace: "default", name: "hook", path: "/p", port: 8443 });
    const post = 'Post "https://hook.default.svc:8443/p?timeout=10s"';
    await expect(write(server)).rejects.toThrow(`${post}: service "hook" not found`);
    await server.transport.create(services, service({ ports: [{ port: 443 }] }));
    await expect(write(server)).rejects.toThrow(`${post}: no service port 8443 found for service "hook"`);
  });
});

async function opened(): Promise<WebhookServer> {
  const hook = await openWebhook((asked) => reviewed(asked, {}));
  closing.push(() => hook.close());
  return hook;
}

async function serving(
  hook: WebhookServer,
  reference: JsonObject,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const server = await openTestServer(openMemoryStore(), options);
  closing.push(() => server.close());
  await server.transport.create(hooks, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "hooks" },
    webhooks: [
      {
        name: "v.example.com",
        clientConfig: { service: reference, caBundle: hook.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  return server;
}

function service(spec: JsonObject): KubeObject {
  return { apiVersion: "v1", kind: "Service", metadata: { namespace: "default", name: "hook" }, spec };
}

function write({ transport }: TestServer): Promise<KubeObject> {
  return transport.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", generateName: "a-" },
  });
}
