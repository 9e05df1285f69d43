import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, systemClock } from "#base";
import { type ApiServer, openApiServer, openLmdbStore } from "#apiserver";
import { asJson, fieldAt, isJsonObject, type KubeObject, type Transport } from "#machinery";

const fixtures = "test/fixtures/schema";
const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};
const machines = { group: "cluster.x-k8s.io", version: "v1beta2", resource: "machines" };
const namespace = "default";

type Print = (line: object) => void;

/** The engine, durable and in process, on Machines with their full schema. CPU is that of all threads. */
export async function bench(print: Print): Promise<void> {
  await updates(print);
  await readsAndWatches(print);
  await memoryAndStart(print);
}

async function updates(print: Print): Promise<void> {
  await using world = await openWorld();
  const { transport } = world;
  const count = 200;
  await createMachines(transport, count, bigMachine());
  const status = asJson(bigMachine())["status"] ?? {};
  const seeds = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      transport.patch(
        machines,
        { namespace, name: nameOf(index) },
        { kind: "merge", patch: { status } },
        { subresource: "status", fieldManager: "manager" },
      ),
    ),
  );
  const writers = 64;
  const each = 200;
  let ticks = 0;
  const latest = new Map(seeds.map((machine, index) => [index, machine]));
  const run = async (writer: number, rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const index = writer + (round % 3) * writers;
      const old = latest.get(index);
      if (old === undefined) throw new Error(`there is no Machine ${index}`);
      // A writer sends what it has read from a wire, so that nothing of it is shared with the stored object.
      const next: KubeObject = JSON.parse(JSON.stringify(old));
      latest.set(index, await transport.update(machines, changed(next, (ticks += 1)), { fieldManager: "bench" }));
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => run(writer, 300)));
  const total = writers * each;
  const costs: { readonly cpu: number; readonly wall: number }[] = [];
  for (let times = 0; times < 5; times += 1) {
    const cost = await measured(() => Promise.all(Array.from({ length: writers }, (_, writer) => run(writer, each))));
    const clientCost = cpuOf(() => {
      for (let index = 0; index < total; index += 1) JSON.parse(JSON.stringify(seeds[index % count]));
    });
    costs.push({ cpu: cost.cpu - clientCost, wall: cost.wall });
  }
  const sorted = costs.toSorted((a, b) => a.cpu - b.cpu);
  const [best, median] = [sorted[0]?.cpu ?? 0, sorted[Math.floor(sorted.length / 2)]?.cpu ?? 0];
  const wall = Math.min(...costs.map((cost) => cost.wall));
  const bytes = JSON.stringify(seeds[0]).length;
  print({
    ...result("updates", total / best, "per core-second, best of five rounds", 8000),
    median: Math.round(total / median),
    bytes,
    perSecond: Math.round(total / wall),
    rounds: costs.map((cost) => Math.round(total / cost.cpu)),
  });
}

async function readsAndWatches(print: Print): Promise<void> {
  await using world = await openWorld();
  const { transport } = world;
  const count = 10_000;
  await createMachines(transport, count, smallMachine());
  const gets = 300_000;
  const key = (index: number) => ({ namespace, name: nameOf(index % count) });
  const readAll = async (times: number) => {
    for (let index = 0; index < times; index += 1) await transport.get(machines, key(index));
  };
  await readAll(50_000);
  print(result("gets", gets / (await measured(() => readAll(gets))).cpu, "per core-second", 300_000));

  const lists = 50;
  const listAll = async () => {
    for (let index = 0; index < lists; index += 1) await transport.list(machines);
  };
  await listAll();
  print(atMost("list of 10,000", ((await measured(listAll)).wall / lists) * 1000, "ms", 15));

  print(result("watch deliveries", await deliveries(transport), "per core-second", 500_000));
}

/** What it costs to bring changes to many watchers, without what the changes themselves cost. */
async function deliveries(transport: Transport): Promise<number> {
  const watchers = 200;
  const writes = 1000;
  const write = async () => {
    for (let index = 0; index < writes; index += 20) {
      const patches = Array.from({ length: 20 }, (_, step) =>
        transport.patch(
          machines,
          { namespace, name: nameOf(index + step) },
          { kind: "merge", patch: { metadata: { labels: { tick: `t${Math.random()}`.replace(".", "") } } } },
        ),
      );
      await Promise.all(patches);
    }
  };
  await write();
  const alone = await measured(write);
  const { metadata } = await transport.list(machines, { limit: 1 });
  const stop = new AbortController();
  let seen = 0;
  const { promise: all, resolve } = waiting();
  const watch = async () => {
    const events = transport.watch(machines, { resourceVersion: metadata.resourceVersion ?? "", signal: stop.signal });
    for await (const event of events) {
      if (event.kind !== "bookmark") seen += 1;
      if (seen === watchers * writes) resolve();
    }
  };
  const watching = Array.from({ length: watchers }, () => watch());
  const together = await measured(async () => {
    await write();
    await all;
  });
  stop.abort();
  await Promise.allSettled(watching);
  return (watchers * writes) / (together.cpu - alone.cpu);
}

async function memoryAndStart(print: Print): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const count = 10_000;
  try {
    const first = await openWorld(directory);
    await createMachines(first.transport, count, smallMachine());
    const bytes = JSON.stringify(await first.transport.get(machines, { namespace, name: nameOf(1) })).length;
    await first.server.close();
    settleMemory();
    const before = heap();
    const start = performance.now();
    const second = await openWorld(directory);
    const took = (performance.now() - start) / 1000;
    settleMemory();
    print(atMost("start on 10,000 objects", took, "s", 0.5));
    print({ ...atMost("memory per object", (heap() - before) / count, "bytes", 8192), bytes });
    await second.server.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface World extends AsyncDisposable {
  readonly server: ApiServer;
  readonly transport: Transport;
}

async function openWorld(folder?: string): Promise<World> {
  const directory = folder ?? mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const server = await openApiServer({
    store: await openLmdbStore({ directory }),
    clock: systemClock,
    log: createLogger({ format: "text", level: "warn", destination: process.stderr, clock: systemClock }),
    random: Math.random,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
  });
  const transport = server.transport();
  if ((await transport.list(definitions)).items.length === 0) {
    await transport.create(definitions, machineDefinition());
    await server.settle();
  }
  return {
    server,
    transport,
    async [Symbol.asyncDispose]() {
      await server.close();
      if (folder === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The whole schema of a Machine; without the conversion, for which somebody would have to be called. */
function machineDefinition(): KubeObject {
  const definition = readFixture("machines-definition.json");
  const spec = asJson(definition)["spec"];
  return { ...definition, spec: { ...(isJsonObject(spec) ? spec : {}), conversion: { strategy: "None" } } };
}

async function createMachines(transport: Transport, count: number, machine: KubeObject): Promise<KubeObject[]> {
  const created: KubeObject[] = [];
  for (let from = 0; from < count; from += 100) {
    const batch = Array.from({ length: Math.min(100, count - from) }, (_, step) => {
      const metadata = { ...machine.metadata, name: nameOf(from + step), namespace };
      return transport.create(machines, { ...machine, metadata }, { fieldManager: "bench" });
    });
    created.push(...(await Promise.all(batch)));
  }
  return created;
}

function nameOf(index: number): string {
  return `machine-${String(index).padStart(5, "0")}`;
}

/** About 4.5 kB once it is stored, with the account of its owners. */
function bigMachine(): KubeObject {
  const { metadata, spec, ...machine } = readFixture("machine.json");
  const { labels = {}, annotations = {} } = metadata;
  const { status } = machine;
  const conditions = fieldAt(status, "conditions");
  return {
    apiVersion: machine.apiVersion,
    kind: machine.kind,
    metadata: { labels, annotations },
    spec,
    status: { phase: fieldAt(status, "phase"), conditions: Array.isArray(conditions) ? conditions.slice(0, 7) : [] },
  };
}

/** About 2.4 kB once it is stored. */
function smallMachine(): KubeObject {
  const { status: _, ...machine } = bigMachine();
  const annotations = { "example.com/note": "x".repeat(600) };
  return {
    ...machine,
    apiVersion: machine.apiVersion,
    kind: machine.kind,
    metadata: { ...machine.metadata, annotations },
  };
}

function changed(machine: KubeObject, round: number): KubeObject {
  const spec = asJson(machine)["spec"];
  return { ...machine, spec: { ...(isJsonObject(spec) ? spec : {}), minReadySeconds: round } };
}

function readFixture(name: string): KubeObject {
  return JSON.parse(readFileSync(join(fixtures, name), "utf8"));
}

async function measured(work: () => Promise<unknown>): Promise<{ readonly cpu: number; readonly wall: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, wall: (performance.now() - start) / 1000 };
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function waiting(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function settleMemory(): void {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  for (let times = 0; times < 4; times += 1) globalThis.gc();
}

function heap(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function result(name: string, value: number, unit: string, atLeast: number): object {
  return { bench: "engine", name, value: Math.round(value), unit, atLeast };
}

function atMost(name: string, value: number, unit: string, most: number): object {
  return { bench: "engine", name, value: Math.round(value * 100) / 100, unit, atMost: most };
}
