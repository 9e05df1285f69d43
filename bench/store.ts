import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mutation, openLmdbStore, type Store, type StoreKey } from "#apiserver/store";

const objects = 10_000;
const prefix = { group: "cluster.x-k8s.io", resource: "machines" };

/** Durable writes, reads and the start of the store, each as one line. */
export async function bench(print: (line: object) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  try {
    const store = await openLmdbStore({ directory });
    const heads = await fill(store);
    for (const [writers, bytes, writes] of [
      [1, 2_000, 1_000],
      [32, 2_000, 20_000],
      [128, 2_000, 40_000],
      [32, 4_500, 20_000],
      [128, 4_500, 40_000],
    ] as const)
      print(await measureWrites(store, heads, { writers, bytes, writes }));
    print({ bench: "store.compact", ...(await compactAll(store)) });
    print(measureGet(store));
    print(measureRange(store));
    await store.close();
    print(await measureOpen(directory));
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Load {
  readonly writers: number;
  readonly bytes: number;
  readonly writes: number;
}

async function measureWrites(store: Store, heads: number[], { writers, bytes, writes }: Load): Promise<object> {
  const value = JSON.stringify("x".repeat(bytes - 2));
  const latencies: number[] = [];
  const update = groupCommit(store, heads, value);
  const cpu = process.cpuUsage();
  const start = performance.now();
  let left = writes;
  const write = async (): Promise<void> => {
    while (left-- > 0) {
      const begun = performance.now();
      await update((left * 7919) % objects);
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    bench: "store.commit",
    writers,
    bytes,
    "writes/s": Math.round(writes / seconds),
    "p50 ms": round(sorted[Math.floor(sorted.length * 0.5)] ?? 0),
    "p99 ms": round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
    "CPU us/write": round((user + system) / writes),
  };
}

/** The commit step of the registry: one batch under way, the next one gathers. */
function groupCommit(store: Store, heads: number[], value: string): (index: number) => Promise<void> {
  let revision = store.revision;
  let gathered: { batch: Mutation[]; done: Promise<void> } | undefined;
  let underWay = Promise.resolve();
  return (index) => {
    if (gathered === undefined) {
      const batch: Mutation[] = [];
      underWay = underWay.then(() => {
        gathered = undefined;
        return store.commit(batch);
      });
      gathered = { batch, done: underWay };
    }
    const previous = heads[index] ?? 0;
    heads[index] = ++revision;
    gathered.batch.push({ op: "update", key: keyOf(index), revision, previous, value });
    return gathered.done;
  };
}

async function fill(store: Store): Promise<number[]> {
  const value = JSON.stringify("x".repeat(1_998));
  const heads = Array.from({ length: objects }, (_, index) => index + 1);
  for (let from = 0; from < objects; from += 500)
    await store.commit(
      heads.slice(from, from + 500).map((revision) => {
        return { op: "create", key: keyOf(revision - 1), revision, previous: 0, value };
      }),
    );
  return heads;
}

async function compactAll(store: Store): Promise<object> {
  const records = store.revision - objects;
  const start = performance.now();
  await store.compact(store.revision);
  return { records, "records/ms": Math.round(records / (performance.now() - start)) };
}

function measureGet(store: Store): object {
  const gets = 50_000;
  const start = performance.now();
  for (let index = 0; index < gets; index++) store.get(keyOf((index * 7919) % objects));
  return { bench: "store.get", us: round(((performance.now() - start) * 1000) / gets) };
}

function measureRange(store: Store): object {
  const start = performance.now();
  const found = [...store.range(prefix)].length;
  return { bench: "store.range", objects: found, ms: round(performance.now() - start) };
}

async function measureOpen(directory: string): Promise<object> {
  const start = performance.now();
  const store = await openLmdbStore({ directory });
  const opened = performance.now();
  const found = [...store.heads()].length;
  const read = performance.now();
  await store.close();
  return {
    bench: "store.open",
    objects: found,
    "open and check ms": round(opened - start),
    "heads ms": round(read - opened),
  };
}

function keyOf(index: number): StoreKey {
  return { ...prefix, namespace: `ns-${index % 50}`, name: `machine-${index}` };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
