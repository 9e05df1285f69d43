import { createFakeClock, parseTimestamp, seconds, systemClock } from "#base";
import { createRateLimit, WorkQueue } from "#control";
import type { ObjectKey } from "#machinery";
import { Node } from "#workload";
import { startPlane, startWorkloadServers, usage, type WorkloadPlane } from "../tools/bench/workload-plane.ts";

/** What workload clusters cost: memory, descriptors and time, and what dead ones cost the living. */
export async function bench(print: (line: object) => void): Promise<void> {
  await measureConnected(print);
  for (const blackHoles of [0, 20]) print(await measureLatency(blackHoles));
  print(await measureFlapping());
}

// The first ones make the process as large as their coming takes; what is measured are those that come then.
const first = 100;
const clusters = 200;
const nodes = 20;

async function measureConnected(print: (line: object) => void): Promise<void> {
  using servers = startWorkloadServers();
  const opened = await servers.ask({ kind: "open", clusters: first + clusters, nodes, blackHoles: 0 });
  if (opened.kind !== "opened") return;
  await using warm = startPlane({ ports: opened.ports.slice(clusters) });
  await allConnected(warm);
  const before = usage();
  const used = process.cpuUsage();
  const start = performance.now();
  await using plane = startPlane({ ports: opened.ports.slice(0, clusters) });
  await allConnected(plane);
  const took = (performance.now() - start) / 1000;
  const connecting = process.cpuUsage(used);
  const after = usage();
  print({
    bench: "workload.connect",
    clusters,
    nodes,
    "connects/s": Math.round(clusters / took),
    "CPU ms/connect": round((connecting.user + connecting.system) / 1000 / clusters),
    "heap KiB/cluster": round((after.heap - before.heap) / 1024 / clusters),
    "rss KiB/cluster": round((after.rss - before.rss) / 1024 / clusters),
    "descriptors/cluster": round((after.descriptors - before.descriptors) / clusters),
  });

  const times = 200;
  let told = 0;
  const all = new Promise<void>((resolve) => {
    for (const key of plane.keys)
      onNodes(plane, key, () => {
        if (++told === clusters * times) resolve();
      });
  });
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await Promise.all([servers.ask({ kind: "change", clusters, times, everyMs: 0 }), all]);
  const passed = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  print({
    bench: "workload.events",
    clusters,
    events: told,
    "events/s": Math.round(told / passed),
    "CPU us/event": round((user + system) / told),
  });
}

/** From the change of a Node to the pass that looks at it, with some clusters dead from the beginning. */
async function measureLatency(blackHoles: number): Promise<object> {
  const living = 80;
  using servers = startWorkloadServers();
  const opened = await servers.ask({ kind: "open", clusters: living, nodes, blackHoles });
  if (opened.kind !== "opened") return {};
  // Dead ones are tried much more often than they would be, so that a short time is enough to see what they cost.
  const settings = { connectRetryInterval: seconds(1), probeInterval: seconds(1), probeTimeout: seconds(1) };
  await using plane = startPlane({ ports: [...opened.ports, ...opened.blackHoles], settings });
  const livingKeys = plane.keys.slice(0, living);
  await allConnected({ ...plane, keys: livingKeys });
  const waits: number[] = [];
  const sent = new Map<string, number>();
  const queue = new WorkQueue({ clock: systemClock, limit: createRateLimit({ clock: systemClock }), onReady: work });
  for (const key of livingKeys)
    onNodes(plane, key, (at) => {
      sent.set(key.name, at);
      queue.add(key);
    });
  await servers.ask({ kind: "change", clusters: living, times: 40, everyMs: 250 });
  queue.close();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number): number => round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return {
    bench: "workload.latency",
    living,
    dead: blackHoles,
    changes: sorted.length,
    "p50 ms": at(0.5),
    "p99 ms": at(0.99),
    "most ms": round(sorted.at(-1) ?? 0),
  };

  function work(): void {
    for (let entry = queue.take(); entry !== undefined; entry = queue.take()) {
      waits.push(now() - (sent.get(entry.key.name) ?? now()));
      queue.done(entry);
    }
  }
}

/** A day on a clock that a bench moves, in which clusters come and go every few minutes. */
async function measureFlapping(): Promise<object> {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  using servers = startWorkloadServers();
  const opened = await servers.ask({ kind: "open", clusters: 5, nodes, blackHoles: 0 });
  if (opened.kind !== "opened") return {};
  await using plane = startPlane({ ports: opened.ports, clock });
  const pass = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count; passed += 10) {
      await clock.advance(seconds(10));
      await plane.cache.settle();
    }
  };
  const flap = async (): Promise<void> => {
    await servers.ask({ kind: "sicken", isSick: true });
    await pass(120);
    await servers.ask({ kind: "sicken", isSick: false });
    await pass(180);
  };
  for (let warm = 0; warm < 24; warm++) await flap();
  const before = { ...usage(), timers: timers() };
  let flaps = 0;
  for (let passed = 0; passed < 24 * 3600; passed += 300, flaps++) await flap();
  const after = { ...usage(), timers: timers() };
  return {
    bench: "workload.flapping",
    clusters: opened.ports.length,
    flaps,
    "heap KiB before": round(before.heap / 1024),
    "heap KiB after": round(after.heap / 1024),
    descriptors: [before.descriptors, after.descriptors],
    timers: [before.timers, after.timers],
    sleepers: clock.sleepers,
  };
}

/** Resolves once all clusters are connected. */
async function allConnected({ cache, keys }: Pick<WorkloadPlane, "cache" | "keys">): Promise<void> {
  while (!keys.every((key) => cache.isConnected(key))) await new Promise((resolve) => setTimeout(resolve, 5));
}

function onNodes({ cache }: WorkloadPlane, key: ObjectKey, changed: (sentAt: number) => void): void {
  cache.watch(key, {
    name: "bench",
    kind: Node,
    onChange: (change) => {
      if (change.kind === "changed") changed(Number(change.object.metadata.annotations?.["sent"]));
    },
  });
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
