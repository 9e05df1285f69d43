import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createLogger, systemClock } from "#base";
import { createClient, createHttpTransport, loadConnection } from "#client";
import { type CacheChange, type Caches, createCaches, type KindCache } from "#control";
import type { Transport } from "#machinery";
import { machines, openMachinePlane } from "../tools/bench/machine-plane.ts";

const count = 10_000;
const rounds = 5;
const perSecond = 1000;
// Once to each Machine; what is told of the first ones also pays for the compiler, once in the life of a process.
const changes = count;
// CPU is counted by so many changes, half a second each.
const window = 500;
const machineKind = { group: machines.group, version: machines.version, kind: "Machine" };

type Print = (line: object) => void;

/** Caches of 10,000 Machines: how long they take to fill, what they weigh, and what it costs to keep up. */
export async function bench(print: Print): Promise<void> {
  await inProcess(print);
  await overTls(print);
}

async function inProcess(print: Print): Promise<void> {
  const plane = await openMachinePlane(count);
  try {
    const times = await repeated(rounds, () => syncOn(plane.transport));
    print({ bench: "control.cache", name: "initial sync in process", machines: count, ...seconds(times), most: 0.4 });
  } finally {
    await plane.close();
  }
}

async function overTls(print: Print): Promise<void> {
  const server = fork(fileURLToPath(new URL("../tools/bench/machine-server.js", import.meta.url)), [String(count)]);
  try {
    const connection = await loadConnection({ path: await kubeconfigOf(server) });
    const times = await repeated(rounds, async () => {
      using transport = createHttpTransport(connection);
      return await syncOn(transport);
    });
    print({ bench: "control.cache", name: "initial sync over TLS", machines: count, ...seconds(times), most: 1.5 });
    using transport = createHttpTransport(connection);
    await lull();
    const before = heapUsed();
    await using filled = await fill(transport);
    const bytes = (heapUsed() - before) / count;
    print({ bench: "control.cache", name: "heap per Machine", value: Math.round(bytes), unit: "bytes", most: 5000 });
    const follow = async (): Promise<object> => await followed(filled.cache, server);
    print({ bench: "control.cache", name: "watch events, the first 10,000", ...(await follow()) });
    print({ bench: "control.cache", name: "watch events", ...(await follow()), most: 10 });
  } finally {
    server.disconnect();
  }
}

/** How long something took and how much CPU of this process it used, in milliseconds. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** Fills a cache and lets it go. */
async function syncOn(transport: Transport): Promise<Cost> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await using filled = await fill(transport);
  const { user, system } = process.cpuUsage(cpu);
  const took = { wall: performance.now() - begun, cpu: (user + system) / 1000 };
  const { length } = filled.cache.list();
  if (length !== count) throw new Error(`the cache holds ${length} Machines, not ${count}`);
  return took;
}

async function fill(transport: Transport): Promise<{ readonly cache: KindCache } & AsyncDisposable> {
  const log = createLogger({ format: "text", level: "warn", clock: systemClock, destination: process.stderr });
  const client = createClient(transport);
  const caches: Caches = createCaches({ client, clock: systemClock, random: Math.random, log });
  const cache = await caches.of(machineKind);
  await cache.synced();
  return { cache, [Symbol.asyncDispose]: () => caches[Symbol.asyncDispose]() };
}

/** What it costs this process to be told of changes, with one subscriber: CPU of all its threads. */
async function followed(cache: KindCache, server: ChildProcess): Promise<object> {
  const stop = new AbortController();
  const costs: number[] = [];
  let seen = 0;
  let before = process.cpuUsage();
  let allSeen: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    allSeen = resolve;
  });
  const listener = ({ kind }: CacheChange): void => {
    if (kind !== "changed") return;
    seen += 1;
    if (seen % window === 0) {
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / window);
      before = process.cpuUsage();
    }
    if (seen === changes) allSeen();
  };
  cache.subscribe(listener, { signal: stop.signal });
  const begun = performance.now();
  before = process.cpuUsage();
  server.send({ changes, perSecond });
  await arrived;
  const elapsed = performance.now() - begun;
  stop.abort();
  const best = Math.min(...costs);
  const median = costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? best;
  const percent = (microseconds: number): number => Math.round((microseconds * perSecond) / 1000) / 10;
  return {
    events: changes,
    perSecond: Math.round(changes / (elapsed / 1000)),
    best: percent(best),
    median: percent(median),
    unit: "% of a core at 1,000 events/s",
  };
}

async function repeated(times: number, measure: () => Promise<Cost>): Promise<readonly Cost[]> {
  const results: Cost[] = [];
  for (let left = times; left > 0; left -= 1) results.push(await measure());
  return results.toSorted((a, b) => a.wall - b.wall);
}

function seconds(costs: readonly Cost[]): object {
  const round = (milliseconds = 0): number => Math.round(milliseconds) / 1000;
  const cpu = Math.min(...costs.map((cost) => cost.cpu));
  return {
    best: round(costs[0]?.wall),
    median: round(costs[Math.floor(costs.length / 2)]?.wall),
    cpu: round(cpu),
    unit: "s",
  };
}

/** What was closed before is let go of by the platform only when it comes to it. */
function lull(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

function heapUsed(): number {
  global.gc?.();
  global.gc?.();
  return process.memoryUsage().heapUsed;
}

function kubeconfigOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("message", (message: { readonly kubeconfig: string }) => resolve(message.kubeconfig));
    server.once("exit", () => reject(new Error("the server of the bench did not start")));
  });
}
