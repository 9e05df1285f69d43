import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createLogger, type FakeClock, minutes, parseTimestamp, seconds } from "#base";
import { type Mutation, openLmdbStore, openMemoryStore, type Store } from "#apiserver/store";
import { afterAll, describe, expect, test } from "vitest";
import { compactHistory, type History } from "./history.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-compaction-"));
afterAll(() => rm(scratch, { recursive: true }));

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: () => Promise.resolve(openMemoryStore()),
  "a folder": () => openLmdbStore({ directory: scratch }),
};

const key = { group: "", resource: "configmaps", namespace: "default", name: "a" };

describe.each(Object.entries(stores))("history, over %s", (_, openStore) => {
  test("goes by its weight and by its age, the oldest first", async () => {
    const store = await openStore();
    const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
    const stop = new AbortController();
    const history = compactHistory(store, {
      clock,
      log: createLogger({ format: "text", level: "error", clock, destination: { write: fail } }),
      signal: stop.signal,
      limits: { age: minutes(1), revisions: 2, bytes: 1000 },
    });
    const write = (op: Mutation["op"], bytes: number) => written(store, history, op, bytes);

    // What is created replaces nothing.
    await write("create", 5000);
    for (let revision = 2; revision <= 11; revision += 1) await write("update", 100);
    expect(store.compacted).toBe(0);
    // One too much, and a quarter goes.
    await write("update", 100);
    expect(store.compacted).toBe(5);
    await advance(clock, history, 30);
    for (let revision = 13; revision <= 14; revision += 1) await write("update", 100);
    expect(store.compacted).toBe(5);
    // What is older than a minute goes when another one has passed, but the last two stay.
    await advance(clock, history, 31);
    expect(store.compacted).toBe(5);
    await advance(clock, history, 60);
    expect(store.compacted).toBe(12);
    // One write that is too heavy goes with everything before it.
    await write("update", 5000);
    expect(store.compacted).toBe(15);
    expect([...store.historyFrom(15)]).toEqual([]);
    expect(store.get(key)?.revision).toBe(15);

    stop.abort();
    await history.idle();
    await store.close();
  });
});

async function written(store: Store, history: History, op: Mutation["op"], bytes: number): Promise<void> {
  const { revision } = store;
  const write = { op, key, revision: revision + 1, previous: revision, value: "x".repeat(bytes) };
  await store.commit([write]);
  history.grow([write]);
  await history.idle();
}

async function advance(clock: FakeClock, history: History, by: number): Promise<void> {
  await clock.advance(seconds(by));
  await history.idle();
}

function fail(line: string): never {
  throw new Error(line);
}
