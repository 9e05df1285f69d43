import { expect, test } from "vitest";
import { openAnsweringServer, startRelay } from "./foreign-servers.ts";
import { createTestPki } from "./test-pki.ts";
import { openWorkloadServer, type WorkloadServer } from "./workload-server.ts";
import { clusterKey, openWorld, type World } from "./world.ts";

test("clusters that break in any way are let go in time, and taken back when they mend", async () => {
  await using world = openWorld();
  await using good = await openWorkloadServer();
  await using stopped = await openWorkloadServer();
  await using closed = await openWorkloadServer();
  await using blackHole = await openWorkloadServer();
  await using foreign = await openWorkloadServer();
  await using expired = await openWorkloadServer();
  await using failing = await openWorkloadServer();
  await using rotated = await openWorkloadServer();
  const servers = { good, stopped, closed, blackHole, foreign, expired, failing, rotated };
  const broken = ["stopped", "closed", "blackHole", "foreign", "expired", "failing"];

  await using relay = await startRelay(stopped.port);
  await stopped.front.behave({ kind: "passes", to: relay.port });
  await using stranger = await openAnsweringServer(createTestPki().serving(), { status: 200, body: "{}" });
  await using old = await openAnsweringServer(expired.pki.serving({ expired: true }), { status: 200, body: "{}" });
  await using sick = await openAnsweringServer(failing.pki.serving(), { status: 500, body: "no" });
  await using renewed = await openWorkloadServer({ token: "new-token", pki: rotated.pki });

  for (const [name, server] of Object.entries(servers)) world.put(name, server.kubeconfig());
  await world.pass(1);
  expect(connectedOf(world, servers)).toEqual(Object.keys(servers));
  expect(world.woken().toSorted()).toEqual(Object.keys(servers).toSorted());

  relay.signal("SIGSTOP");
  await closed.front.behave({ kind: "closed" });
  await blackHole.front.behave({ kind: "black-hole" });
  await foreign.front.behave({ kind: "passes", to: stranger.port });
  await expired.front.behave({ kind: "passes", to: old.port });
  await failing.front.behave({ kind: "passes", to: sick.port });
  // Where the old token is not known any more, the Secret has the new one already.
  world.put("rotated", rotated.kubeconfig("new-token"));
  await rotated.front.behave({ kind: "passes", to: renewed.port });

  // The first probe finds all of them out, and the one with new credentials is back at once.
  await world.pass(10);
  expect(failuresOf(world, servers)).toEqual({ ...allOf(broken, 1), good: 0, rotated: 0 });
  expect(connectedOf(world, servers)).toEqual(Object.keys(servers));
  expect(world.woken()).toEqual(["rotated", "rotated"]);

  // The fifth one in a row is the last.
  await world.pass(38);
  expect(connectedOf(world, servers)).toEqual(Object.keys(servers));
  await world.pass(1);
  expect(connectedOf(world, servers)).toEqual(["good", "rotated"]);
  expect(failuresOf(world, servers)).toEqual({ ...allOf(broken, 5), good: 0, rotated: 0 });
  expect(world.woken().toSorted()).toEqual(broken.toSorted());
  for (const name of broken) expect(world.cache.healthOf(clusterKey(name)).lastProbeSuccess).toMatch(/:0[01]Z$/);

  // They are tried every 30 seconds, and found as soon as they have mended.
  await world.pass(30);
  expect(connectedOf(world, servers)).toEqual(["good", "rotated"]);
  expect(failuresOf(world, servers)).toMatchObject(allOf(broken, 6));
  world.woken();
  relay.signal("SIGCONT");
  for (const { front, port } of [closed, blackHole, foreign, expired, failing])
    await front.behave({ kind: "passes", to: port });
  await world.pass(30);
  expect(connectedOf(world, servers)).toEqual(Object.keys(servers));
  expect(failuresOf(world, servers)).toEqual(allOf(Object.keys(servers), 0));
  expect(world.woken().toSorted()).toEqual(broken.toSorted());
});

test.each<[why: string, spoil: (server: WorkloadServer) => Promise<AsyncDisposable | undefined>, said: string]>([
  ["nobody listens", ({ front }) => nothing(front.behave({ kind: "closed" })), "ECONNREFUSED"],
  ["nothing comes", ({ front }) => nothing(front.behave({ kind: "black-hole" })), "the probe took longer than 2.5s"],
  ["connections are reset", ({ front }) => nothing(front.behave({ kind: "resets" })), "cluster is not reachable"],
  ["it is no TLS", ({ front }) => nothing(front.behave({ kind: "garbage" })), "cluster is not reachable"],
  [
    "its certificate is a stranger's",
    (server) => replaced(server, createTestPki().serving(), { status: 200, body: "{}" }),
    "unable to verify the first certificate",
  ],
  [
    "its certificate has expired",
    (server) => replaced(server, server.pki.serving({ expired: true }), { status: 200, body: "{}" }),
    "certificate has expired",
  ],
  [
    "it fails",
    (server) => replaced(server, server.pki.serving(), { status: 500, body: "no" }),
    "cluster is not reachable",
  ],
  [
    "it refuses the credentials",
    (server) => replaced(server, server.pki.serving(), { status: 401, body: "no" }),
    "cluster is not reachable",
  ],
  [
    "it is a web page",
    (server) => replaced(server, server.pki.serving(), { status: 200, body: "<html>" }),
    "error getting REST mapping",
  ],
  [
    "it is something else",
    (server) => replaced(server, server.pki.serving(), { status: 200, body: "{}" }),
    "the server serves no Node in version v1",
  ],
])("a cluster is never connected to where %s", async (_why, spoil, said) => {
  await using world = openWorld();
  await using server = await openWorkloadServer();
  await using _ = await spoil(server);
  world.put("c", server.kubeconfig());
  await world.pass(1);
  expect(world.cache.isConnected(clusterKey("c"))).toBe(false);
  expect(world.cache.healthOf(clusterKey("c")).consecutiveFailures).toBe(1);
  expect(world.lines.join("")).toContain(said);
  await server.front.behave({ kind: "passes", to: server.port });
  await world.pass(30);
  expect(world.cache.isConnected(clusterKey("c"))).toBe(true);
});

test.each<[why: string, kubeconfig: string, said: string]>([
  ["is no YAML", "{", "is not YAML"],
  ["names no server", "kind: Config", "error parsing kubeconfig"],
])("a cluster is never connected to where its kubeconfig %s", async (_why, kubeconfig, said) => {
  await using world = openWorld();
  world.put("c", kubeconfig);
  await world.pass(1);
  expect(world.cache.healthOf(clusterKey("c")).consecutiveFailures).toBe(1);
  expect(world.lines.join("")).toContain(said);
});

async function nothing(done: Promise<void>): Promise<undefined> {
  await done;
  return undefined;
}

async function replaced(
  { front }: WorkloadServer,
  ...other: Parameters<typeof openAnsweringServer>
): Promise<AsyncDisposable> {
  const server = await openAnsweringServer(...other);
  await front.behave({ kind: "passes", to: server.port });
  return server;
}

type Servers = Readonly<Record<string, WorkloadServer>>;

function connectedOf({ cache }: World, servers: Servers): readonly string[] {
  return Object.keys(servers).filter((name) => cache.isConnected(clusterKey(name)));
}

function failuresOf({ cache }: World, servers: Servers): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.keys(servers).map((name) => [name, cache.healthOf(clusterKey(name)).consecutiveFailures]),
  );
}

function allOf(names: readonly string[], count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, count]));
}
