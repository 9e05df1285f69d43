import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { createLogger, issueCertificate, milliseconds, readAuthority, systemClock } from "#base";
import { type Client, createClient, createHttpTransport } from "#client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { issueServerCertificate, type KeyPair, makeAuthority } from "./authority.ts";
import { createWorkloadServers, type WorkloadServers } from "./workload-servers.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;
const cluster = { namespace: "default", name: "c" };
const now = systemClock.instant();
const authority = makeAuthority(now);
const tls = issueServerCertificate(authority, "127.0.0.1", now);
const empty = () => Promise.resolve();

let servers: WorkloadServers;
beforeEach(() => {
  const destination = { write: () => undefined };
  servers = createWorkloadServers({
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination }),
    random: () => 0.5,
    uuid: randomUUID,
    host: "127.0.0.1",
  });
});
afterEach(() => servers[Symbol.asyncDispose]());

/** A client that shows a certificate of a group, issued by an authority. */
function clientOf(port: number, issuer: KeyPair, group: string): Client & Disposable {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = issueCertificate(
    {
      subject: { commonName: "somebody", organizations: [group] },
      publicKey,
      purpose: { kind: "client" },
      notBefore: now - 60_000,
      notAfter: now + 3_600_000,
    },
    readAuthority(issuer),
  );
  const transport = createHttpTransport(
    {
      server: `https://127.0.0.1:${port}`,
      tls: {
        authority: authority.certificate,
        certificate,
        key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      },
    },
    { userAgent: "test", retries: { connectionAttempts: 1 } },
  );
  return Object.assign(createClient(transport, { fieldOwner: "test" }), { [Symbol.dispose]: () => transport.close() });
}

test("an administrator of the cluster gets in; strangers and those without the group do not", async () => {
  const { port } = await servers.open(cluster, { tls, port: 0, fill: empty });
  using administrator = clientOf(port, authority, "system:masters");
  expect((await administrator.list(Node)).items).toEqual([]);
  using guest = clientOf(port, authority, "guests");
  await expect(guest.list(Node)).rejects.toMatchObject({ reason: "Forbidden" });
  using stranger = clientOf(port, makeAuthority(now), "system:masters");
  await expect(stranger.list(Node)).rejects.toThrow("connection");
});

test("its objects are there before anybody reaches it", async () => {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "a" } };
  const { port } = await servers.open(cluster, {
    tls,
    port: 0,
    fill: async (client) => void (await client.create(Node, node)),
  });
  using administrator = clientOf(port, authority, "system:masters");
  expect((await administrator.list(Node)).items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
});

test("stopped, it lets go of its port and keeps what it knows; then it is back where it was", async () => {
  const server = await servers.open(cluster, { tls, port: 0, fill: empty });
  const { port } = server;
  await server.client.create(Node, { apiVersion: "v1", kind: "Node", metadata: { name: "a" } });
  await server.breakAs({ kind: "stopped" });
  expect([server.isListening, server.port]).toEqual([false, port]);
  using administrator = clientOf(port, authority, "system:masters");
  await expect(administrator.list(Node)).rejects.toThrow("connect");
  await server.breakAs({ kind: "slow", delay: milliseconds(1) });
  expect([server.isListening, server.port]).toEqual([true, port]);
  expect((await administrator.list(Node)).items).toHaveLength(1);
});

test("one that is opened stopped never answers, and has its port", async () => {
  const { port } = await servers.open(cluster, { tls, port: 0, fill: empty });
  await servers.close(cluster);
  const again = await servers.open(cluster, { tls, port, broken: { kind: "stopped" }, fill: empty });
  expect([again.isListening, again.port]).toEqual([false, port]);
  const fresh = await servers.open({ name: "other" }, { tls, port: 0, broken: { kind: "stopped" }, fill: empty });
  expect([fresh.isListening, fresh.port > 0]).toEqual([false, true]);
});

test("a cluster has one server however many ask for it, and none once it is closed", async () => {
  const [a, b] = await Promise.all([
    servers.open(cluster, { tls, port: 0, fill: empty }),
    servers.open(cluster, { tls, port: 0, fill: empty }),
  ]);
  expect(a).toBe(b);
  expect(servers.find(cluster)).toBe(a);
  await servers.close(cluster);
  await servers.close(cluster);
  expect(servers.find(cluster)).toBeUndefined();
});

test("a port that somebody else has is a clear error, and the cluster can be opened later", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await expect(servers.open(cluster, { tls, port, fill: empty })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
  expect(servers.find(cluster)).toBeUndefined();
  await new Promise((resolve) => other.close(resolve));
  expect((await servers.open(cluster, { tls, port, fill: empty })).port).toBe(port);
});
