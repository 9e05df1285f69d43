import { expect, test } from "vitest";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { openEmbeddedServer } from "#testkit";
import { certificateSecret } from "../webhook/certificate-secret.ts";
import { createManager, type Manager, type ManagerOptions, type Started } from "./manager.ts";

const log = createLogger({
  format: "text",
  level: "error",
  clock: systemClock,
  destination: { write: () => undefined },
});
const loopback = { host: "127.0.0.1", port: 0 };
const election = { namespace: "default", name: "lead", identity: "other" };

/** Takes any free port and tells which, although whoever only waits to lead never says that it has started. */
async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function readiness(port: number): Promise<string> {
  try {
    return await (await fetch(`http://127.0.0.1:${port}/readyz?verbose`)).text();
  } catch {
    return "";
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

test("webhooks are served by a manager that leads and by one that waits, with the same certificate", async () => {
  await using server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan" });
  const secret = { namespace: "default", name: "webhooks" };
  const managerWith = (options: Partial<ManagerOptions>): Manager => {
    const certificate = certificateSecret({ client, clock: systemClock, log, secret, names: ["127.0.0.1"] });
    return createManager({ client, log, webhooks: { ...loopback, certificate, webhooks: [] }, ...options });
  };
  const stop = new AbortController();
  const { signal } = stop;
  const leading = managerWith({ leaderElection: { ...election, identity: "one" } });
  const ports: Started[] = [];
  const first = new Promise<void>((resolve) => {
    void leading.run({
      signal,
      onStarted: (started) => {
        ports.push(started);
        resolve();
      },
    });
  });
  await first;
  expect(ports[0]?.webhookPort).toBeGreaterThan(0);

  const healthPort = await freePort();
  const waiting = managerWith({ leaderElection: election, health: { host: "127.0.0.1", port: healthPort } });
  const ended = waiting.run({ signal });
  await until(async () => (await readiness(healthPort)).includes("[+]webhook ok"));
  stop.abort();
  await ended;
});

test("a manager that cannot serve its webhooks says why and stops", async () => {
  await using server = await openEmbeddedServer();
  const client = createClient(server.transport, { fieldOwner: "capstan" });
  const certificate = {
    load: () => Promise.reject(new Error("there is no certificate")),
    follow: () => Promise.resolve(),
  };
  const manager = createManager({ client, log, webhooks: { ...loopback, certificate, webhooks: [] } });
  await expect(manager.run({ signal: new AbortController().signal })).rejects.toThrow("there is no certificate");
});
