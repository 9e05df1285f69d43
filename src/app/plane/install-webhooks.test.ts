import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#base";
import { type Client, createClient } from "#client";
import { fieldAt, type KubeObject } from "#machinery";
import { openEmbeddedServer } from "#testkit";
import { expect, onTestFinished, test } from "vitest";
import { addressOf, type InstallWebhookFlags, installWebhooks } from "./install-webhooks.ts";

const group = "admissionregistration.k8s.io";
const Validating = { group, version: "v1", kind: "ValidatingWebhookConfiguration" } as const;
const Mutating = { group, version: "v1", kind: "MutatingWebhookConfiguration" } as const;
const Secret = { group: "", version: "v1", kind: "Secret" } as const;
const secret = { namespace: "default", name: "capstan-webhook-certificate" };
const flags: InstallWebhookFlags = { webhooks: true, webhookSecret: "default/capstan-webhook-certificate" };

async function open(): Promise<{ readonly client: Client; install: Install } & AsyncDisposable> {
  const server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan-install" });
  const { signal } = new AbortController();
  return {
    client,
    install: async (more = {}) => {
      const installed = await installWebhooks(client, { ...flags, ...more }, { clock: systemClock, signal });
      return installed.map(({ change }) => change);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

type Install = (more?: Partial<InstallWebhookFlags>) => Promise<readonly string[]>;

async function registered(client: Client): Promise<readonly KubeObject[]> {
  return [
    await client.get(Mutating, { name: "capstan-mutating-webhook-configuration" }),
    await client.get(Validating, { name: "capstan-validating-webhook-configuration" }),
  ];
}

function configsIn(configuration: KubeObject): readonly unknown[] {
  const list = configuration["webhooks"];
  return Array.isArray(list) ? list.map((one) => fieldAt(one, "clientConfig")) : [];
}

function decoded(value: unknown): string {
  return Buffer.from(String(value), "base64").toString("utf8");
}

test("webhooks are registered, stay as they are, and are brought up to date", async () => {
  await using world = await open();
  const { client, install } = world;
  expect(await install()).toEqual(["created", "created"]);
  expect(await install()).toEqual(["unchanged", "unchanged"]);
  const kept = await client.get(Secret, secret);
  const authority = fieldAt(kept, "data", "ca.crt");
  for (const configuration of await registered(client)) {
    for (const config of configsIn(configuration)) {
      expect(fieldAt(config, "caBundle")).toBe(authority);
      expect(fieldAt(config, "url")).toMatch(/^https:\/\/127\.0\.0\.1:9443\/(mutate|validate)-/);
    }
  }

  expect(await install({ webhookService: "capstan-system/webhooks" })).toEqual(["changed", "changed"]);
  const again = await client.get(Secret, secret);
  expect(fieldAt(again, "data", "ca.crt")).toBe(authority);
  const certificate = new X509Certificate(decoded(fieldAt(again, "data", "tls.crt")));
  expect(certificate.checkHost("webhooks.capstan-system.svc")).toBeDefined();
  expect(certificate.checkIP("127.0.0.1")).toBeDefined();
  const [mutating] = await registered(client);
  expect(mutating === undefined ? [] : configsIn(mutating)).toContainEqual(
    expect.objectContaining({
      service: {
        namespace: "capstan-system",
        name: "webhooks",
        port: 443,
        path: "/mutate-cluster-x-k8s-io-v1beta2-machine",
      },
    }),
  );
});

test("with a certificate of one's own its authority is told, and no Secret is made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const webhookCaFile = join(folder, "ca.crt");
  const authority = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n";
  writeFileSync(webhookCaFile, authority);
  await using world = await open();
  expect(await world.install({ webhookCaFile })).toEqual(["created", "created"]);
  const [mutating] = await registered(world.client);
  const [config] = mutating === undefined ? [] : configsIn(mutating);
  expect(decoded(fieldAt(config, "caBundle"))).toBe(authority);
  expect(await world.client.find(Secret, secret)).toBeUndefined();
  await expect(world.install({ webhookCaFile: join(folder, "none") })).rejects.toThrow("cannot read");
});

test.each([
  [{}, { kind: "url", url: "https://127.0.0.1:9443" }],
  [{ webhookUrl: "https://10.0.0.7/" }, { kind: "url", url: "https://10.0.0.7" }],
  [{ webhookService: "a/b" }, { kind: "service", namespace: "a", name: "b", port: 443 }],
  [{ webhookService: "a/b:9443" }, { kind: "service", namespace: "a", name: "b", port: 9443 }],
])("%o is an address", (more, address) => {
  expect(addressOf({ ...flags, ...more })).toEqual(address);
});

test.each([
  [{ webhookUrl: "https://a", webhookService: "a/b" }, "--webhook-url and --webhook-service exclude each other"],
  [{ webhookUrl: "http://a" }, "--webhook-url takes a URL such as https://10.0.0.7:9443, not http://a"],
  [{ webhookUrl: "a:9443" }, "--webhook-url takes a URL such as https://10.0.0.7:9443, not a:9443"],
  [{ webhookUrl: "https://a/b" }, "--webhook-url takes a URL such as https://10.0.0.7:9443, not https://a/b"],
  [{ webhookUrl: "https://a:99999" }, "--webhook-url takes a URL such as https://10.0.0.7:9443, not https://a:99999"],
  [{ webhookService: "b" }, "--webhook-service takes namespace/name, not b"],
  [{ webhookService: "a/b:x" }, "--webhook-service takes namespace/name[:port], not a/b:x"],
  [{ webhookService: "a/b:0" }, "--webhook-service takes namespace/name[:port], not a/b:0"],
])("%o is refused", (more, why) => {
  expect(() => addressOf({ ...flags, ...more })).toThrow(why);
});
