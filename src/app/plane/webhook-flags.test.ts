import { Command } from "commander";
import { defaultFeatureGates } from "#api";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import { expect, test } from "vitest";
import { addWebhookFlags, type WebhookFlags, webhookServing } from "./webhook-flags.ts";

const log = createLogger({
  format: "text",
  level: "error",
  clock: systemClock,
  destination: { write: () => undefined },
});

async function serving(...flags: readonly string[]) {
  await using server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan" });
  const read = addWebhookFlags(new Command("x")).exitOverride().parse(flags, { from: "user" }).opts<WebhookFlags>();
  return webhookServing(read, { client, log, features: defaultFeatureGates });
}

test("webhooks are served on the loopback, on the port of Cluster API, unless told", async () => {
  expect(await serving()).toMatchObject({ host: "127.0.0.1", port: 9443 });
  expect(await serving("--webhook-host", "0.0.0.0", "--webhook-port", "0")).toMatchObject({ host: "0.0.0.0", port: 0 });
  expect(await serving("--no-webhooks")).toBeUndefined();
});

test.each([
  [["--webhook-port", "many"], "--webhook-port takes a number from 0 to 65535, not many"],
  [["--webhook-port", "65536"], "--webhook-port takes a number from 0 to 65535, not 65536"],
  [["--webhook-secret", "name"], "--webhook-secret takes namespace/name, not name"],
  [["--webhook-secret", "a/b/c"], "--webhook-secret takes namespace/name, not a/b/c"],
  [["--webhook-secret", "A/b"], "--webhook-secret takes namespace/name, not A/b"],
])("%s is refused", async (flags, why) => {
  await expect(serving(...flags)).rejects.toThrow(why);
});

test("a certificate of one's own is read from its folder", async () => {
  const own = await serving("--webhook-cert-dir", "/nowhere", "--webhook-cert-name", "a.crt");
  await expect(own?.certificate.load({ signal: new AbortController().signal })).rejects.toThrow(
    "/nowhere/a.crt cannot be read",
  );
});
