import { afterEach, describe, expect, test } from "vitest";
import { createFakeClock, describeError, findError, type FakeClock, minutes, parseTimestamp, seconds } from "#base";
import { ApiError } from "#machinery";
import { Node } from "../core-kinds.ts";
import { ClusterNotConnectedError } from "../errors.ts";
import { createTestClusters, createTestLog } from "../test-clusters.ts";
import { type ClusterCache, createClusterCache } from "./cluster-cache.ts";
import type { WorkloadConnection } from "./workload-connection.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const key = (name: string) => ({ namespace: "default", name });
const refused = new Error("connection refused");
const unauthorized = new ApiError({ httpCode: 401, reason: "Unauthorized", message: "Unauthorized" });

/** How a cluster behaves: what connecting and probing throw, or nothing where they succeed. */
interface Behaviour {
  connect?: Error;
  probe?: Error;
  /** Never answers. */
  hangs?: boolean;
}

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

function world() {
  const clock = createFakeClock(noon);
  const clusters = createTestClusters();
  const behaviours: Record<string, Behaviour> = {};
  const connects: [cluster: string, at: number][] = [];
  const open = new Set<WorkloadConnection>();
  const { log, lines } = createTestLog(clock);
  const breaks: Record<string, (error: unknown) => void> = {};
  const cache = createClusterCache({
    clusters,
    clock,
    log,
    settings: { connectsAtOnce: 4 },
    async connect({ name }, { signal, onBroken }) {
      connects.push([name, clock.elapsed() / 1000]);
      breaks[name] = onBroken;
      const behaviour = (behaviours[name] ??= {});
      if (behaviour.hangs === true) await clock.sleep(seconds(5), { signal });
      if (behaviour.connect !== undefined) throw behaviour.connect;
      const connection = aConnection(behaviour, () => open.delete(connection));
      open.add(connection);
      return connection;
    },
  });
  const told: string[] = [];
  const heard = (name: string) => (cluster: { readonly name: string }) =>
    told.push(`${name} ${cluster.name} at ${clock.elapsed() / 1000}`);
  const stop = new AbortController();
  cache.source({ name: "cluster", probeFailures: [seconds(50)] }).subscribe(heard("cluster"), stop);
  cache.source({ name: "machine", probeFailures: [minutes(5)] }).subscribe(heard("machine"), stop);
  const ended = cache.run({ signal: stop.signal });
  running.push(async () => {
    stop.abort();
    await ended;
    expect(lines).toEqual([]);
    expect(open.size).toBe(0);
    expect(clock.sleepers).toBe(0);
  });
  return { clock, clusters, behaviours, connects, cache, told, open, breaks };
}

function aConnection(behaviour: Behaviour, onClose: () => void): WorkloadConnection {
  const unused = (): never => {
    throw new Error("nobody reads in these tests");
  };
  return {
    settings: { server: "https://cluster" },
    get client() {
      return unused();
    },
    reader: { get: unused, find: unused, list: unused },
    async probe() {
      if (behaviour.probe !== undefined) throw behaviour.probe;
    },
    watch: () => undefined,
    caughtUp: unused,
    async close() {
      onClose();
    },
  };
}

async function pass(clock: FakeClock, cache: ClusterCache, secondsToPass: number): Promise<void> {
  for (let passed = 0; passed < secondsToPass; passed++) await clock.advance(seconds(1));
  await cache.settle();
}

describe("a Cluster", () => {
  test("is connected to once its infrastructure is there, and probed from then on", async () => {
    const { clock, clusters, cache, connects, told } = world();
    clusters.put("c", { provisioned: false });
    await pass(clock, cache, 60);
    expect(connects).toEqual([]);
    clusters.put("c");
    await pass(clock, cache, 25);
    expect(connects).toEqual([["c", 60]]);
    const probed = parseTimestamp("2025-01-15T12:01:20Z");
    expect(cache.healthOf(key("c"))).toEqual({ lastProbe: probed, lastProbeSuccess: probed, consecutiveFailures: 0 });
    expect(told).toEqual(["cluster c at 60", "machine c at 60"]);
    expect(cache.connectionOf(key("c"))).toEqual({ server: "https://cluster" });
  });

  test("that cannot be reached is tried every 30 seconds", async () => {
    const { clock, clusters, cache, connects, behaviours, told } = world();
    behaviours["c"] = { connect: refused };
    clusters.put("c");
    await pass(clock, cache, 125);
    expect(connects.map(([, at]) => at)).toEqual([0, 30, 60, 90, 120]);
    expect(cache.healthOf(key("c"))).toEqual({
      lastProbe: parseTimestamp("2025-01-15T12:02:00Z"),
      consecutiveFailures: 5,
    });
    // Nobody waits for the first success of a cluster: that there was none is told once.
    expect(told).toEqual(["cluster c at 0", "machine c at 0"]);
    behaviours["c"] = {};
    await pass(clock, cache, 30);
    expect(cache.isConnected(key("c"))).toBe(true);
    expect(told.slice(2)).toEqual(["cluster c at 150", "machine c at 150"]);
  });

  test("that stops answering is let go after five probes, and what was known stays known", async () => {
    const { clock, clusters, cache, connects, behaviours, told } = world();
    const behaviour: Behaviour = (behaviours["c"] = {});
    clusters.put("c");
    await pass(clock, cache, 15);
    behaviour.probe = refused;
    behaviour.connect = refused;
    await pass(clock, cache, 44);
    expect(cache.isConnected(key("c"))).toBe(true);
    expect(cache.healthOf(key("c")).consecutiveFailures).toBe(4);
    await pass(clock, cache, 1);
    expect(cache.isConnected(key("c"))).toBe(false);
    const lastProbeSuccess = parseTimestamp("2025-01-15T12:00:10Z");
    expect(cache.healthOf(key("c"))).toMatchObject({ lastProbeSuccess, consecutiveFailures: 5 });
    expect(told.slice(2)).toEqual(["cluster c at 60", "machine c at 60"]);

    await pass(clock, cache, 270);
    expect(connects.map(([, at]) => at)).toEqual([0, 90, 120, 150, 180, 210, 240, 270, 300, 330]);
    // 50 s and 5 min after the last good probe, each in the second after which they are over, and between two attempts.
    expect(told.slice(4)).toEqual(["cluster c at 61", "machine c at 311"]);
    expect(cache.healthOf(key("c")).lastProbeSuccess).toBe(lastProbeSuccess);
  });

  test("whose credentials are refused is connected to anew at once", async () => {
    const { clock, clusters, cache, connects, behaviours, told } = world();
    const behaviour: Behaviour = (behaviours["c"] = {});
    clusters.put("c");
    await pass(clock, cache, 9);
    behaviour.probe = unauthorized;
    await clock.advance(seconds(1));
    expect(cache.isConnected(key("c"))).toBe(false);
    delete behaviour.probe;
    await pass(clock, cache, 1);
    expect(connects).toEqual([
      ["c", 0],
      ["c", 10.001],
    ]);
    expect(cache.healthOf(key("c")).consecutiveFailures).toBe(0);
    expect(told).toHaveLength(6);
  });

  test("whose connection is found useless is let go before its next probe", async () => {
    const { clock, clusters, cache, connects, breaks } = world();
    clusters.put("c");
    await pass(clock, cache, 3);
    breaks["c"]?.(new Error("a million Nodes"));
    await pass(clock, cache, 1);
    expect(cache.isConnected(key("c"))).toBe(false);
    expect(cache.healthOf(key("c")).consecutiveFailures).toBe(1);
    await pass(clock, cache, 30);
    expect(connects.map(([, at]) => at)).toEqual([0, 33]);
  });

  test("that is gone leaves nothing behind", async () => {
    const { clock, clusters, cache, open } = world();
    clusters.put("c");
    await pass(clock, cache, 15);
    expect(open.size).toBe(1);
    clusters.remove("c");
    await pass(clock, cache, 1);
    expect(open.size).toBe(0);
    expect(clock.sleepers).toBe(0);
    expect(cache.healthOf(key("c"))).toEqual({ consecutiveFailures: 0 });
  });

  test("may come back under its name while the old one is still being let go", async () => {
    const { clock, clusters, cache, behaviours } = world();
    behaviours["c"] = { hangs: true };
    clusters.put("c");
    await clock.advance(seconds(1));
    clusters.remove("c");
    clusters.put("c");
    await pass(clock, cache, 10);
    expect(cache.isConnected(key("c"))).toBe(true);
  });
});

describe("without a connection", () => {
  test.each<[doing: string, ask: (cache: ClusterCache) => unknown]>([
    ["error getting client", (cache) => cache.client(key("c"))],
    ["error getting client reader", (cache) => cache.reader(key("c"))],
    ["error getting REST config", (cache) => cache.connectionOf(key("c"))],
    [
      "error creating watch w for Node",
      (cache) => {
        cache.watch(key("c"), { name: "w", kind: Node, onChange: () => undefined });
      },
    ],
  ])("%s fails in a way that can be recognised", (doing, ask) => {
    const { cache } = world();
    let thrown: unknown;
    try {
      ask(cache);
    } catch (error) {
      thrown = error;
    }
    expect(describeError(thrown)).toBe(`${doing}: connection to the workload cluster is down`);
    expect(findError(thrown, ClusterNotConnectedError)).toBeDefined();
  });
});

test("clusters that hang do not keep others from being connected to", async () => {
  const { clock, clusters, cache, behaviours } = world();
  for (let dead = 0; dead < 20; dead++) {
    behaviours[`dead-${dead}`] = { hangs: true, connect: refused };
    clusters.put(`dead-${dead}`);
  }
  // All of them have failed once, and from now on they keep at most half of the turns.
  for (let passed = 0; passed < 40; passed++) await clock.advance(seconds(1));
  clusters.put("good");
  await clock.advance(seconds(0));
  expect(cache.isConnected(key("good"))).toBe(true);
});
