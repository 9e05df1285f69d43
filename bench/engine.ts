import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asJson, isJsonObject, type KubeObject, type Transport } from "#machinery";
import { cpuOf, type Effort, measured, ratesOf } from "../tools/bench/cpu.ts";
import { bigMachine, createMachines, machines, nameOf, namespace, openWorld } from "../tools/bench/engine-world.ts";

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
  const costs: Effort[] = [];
  for (let times = 0; times < 5; times += 1) {
    const cost = await measured(() => Promise.all(Array.from({ length: writers }, (_, writer) => run(writer, each))));
    const clientCost = cpuOf(() => {
      for (let index = 0; index < total; index += 1) JSON.parse(JSON.stringify(seeds[index % count]));
    });
    costs.push({ cpu: cost.cpu - clientCost, wall: cost.wall });
  }
  const { median, ...others } = ratesOf(
    total,
    costs.map((cost) => cost.cpu),
  );
  print({
    ...result("updates", median, "per core-second, median of five rounds", 8000),
    ...others,
    bytes: JSON.stringify(seeds[0]).length,
    perSecond: Math.round(total / Math.min(...costs.map((cost) => cost.wall))),
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
