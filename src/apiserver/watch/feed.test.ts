import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import type { WatchEvent } from "#machinery";
import { expect, test } from "vitest";
import { Feed, type FeedReader } from "./feed.ts";

const plenty = { limit: 1000, onUnused: () => undefined, rest: () => undefined };

test("all readers get the very same lists, and only what came after they did", async () => {
  const feed = new Feed(plenty);
  const early = feed.read("at-once");
  feed.push(event("a"));
  const late = feed.read("at-once");
  feed.push(event("b"));
  feed.push(event("c"));
  expect(names(await early.next())).toEqual(["a"]);
  const together = await early.next();
  expect(names(together)).toEqual(["b", "c"]);
  expect(await late.next()).toBe(together);
});

test("what comes in one turn is told together, what comes later by itself", async () => {
  const feed = new Feed(plenty);
  const reader = feed.read("at-once");
  const first = reader.next();
  feed.push(event("a"));
  feed.push(event("b"));
  expect(names(await first)).toEqual(["a", "b"]);
  const second = reader.next();
  feed.push(event("c"));
  expect(names(await second)).toEqual(["c"]);
});

test("no more than a hundred events are told together", async () => {
  const feed = new Feed(plenty);
  const reader = feed.read("at-once");
  for (let count = 0; count < 250; count += 1) feed.push(event(String(count)));
  const sizes = [await reader.next(), await reader.next(), await reader.next()].map((events) => events?.length);
  expect(sizes).toEqual([100, 100, 50]);
});

test("whoever gathers is told of the first event at once, and of the next ones together", async () => {
  const rests: (() => void)[] = [];
  const feed = new Feed({ ...plenty, rest: (_, over) => rests.push(over) });
  const told: string[] = [];
  void follow(feed.read("gathered"), (name) => told.push(`gathered ${name}`));
  void follow(feed.read("at-once"), (name) => told.push(name));
  for (const name of ["a", "b", "c"]) {
    feed.push(event(name));
    await turn();
  }
  expect(told).toEqual(["a", "gathered a", "b", "c"]);
  rests.shift()?.();
  await turn();
  expect(told).toEqual(["a", "gathered a", "b", "c", "gathered b", "gathered c"]);
  rests.shift()?.();
  expect(rests).toEqual([]);
  feed.push(event("d"));
  await turn();
  expect(told.slice(6)).toEqual(["d", "gathered d"]);
});

test("an event of one's own comes after all that came before it", async () => {
  const feed = new Feed(plenty);
  const [one, other] = [feed.read("at-once"), feed.read("at-once")];
  feed.push(event("a"));
  one.add(event("own"));
  feed.push(event("b"));
  expect([await one.next(), await one.next(), await one.next()].map(names)).toEqual([["a"], ["own"], ["b"]]);
  expect([await other.next(), await other.next()].map(names)).toEqual([["a"], ["b"]]);
});

test("a reader that is closed gets what came before and then the end", async () => {
  const feed = new Feed(plenty);
  const reader = feed.read("at-once");
  feed.push(event("a"));
  reader.add(event("own"));
  reader.close();
  feed.push(event("b"));
  reader.add(event("too late"));
  expect([await reader.next(), await reader.next(), await reader.next()].map(names)).toEqual([["a"], ["own"], []]);
});

test("a reader that leaves gets nothing more, whether it waits or not", async () => {
  const feed = new Feed(plenty);
  const [waiting, behind] = [feed.read("at-once"), feed.read("at-once")];
  const next = waiting.next();
  waiting.leave();
  expect(await next).toBeUndefined();
  feed.push(event("a"));
  behind.leave();
  expect(await behind.next()).toBeUndefined();
});

test("a reader that is too slow is let go, and nobody else", async () => {
  const feed = new Feed({ ...plenty, limit: 2 });
  const [slow, quick] = [feed.read("at-once"), feed.read("at-once")];
  const seen: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    feed.push(event(name));
    seen.push(...names(await quick.next()));
  }
  expect(seen).toEqual(["a", "b", "c", "d"]);
  expect([await slow.next(), await slow.next(), await slow.next()].map(names)).toEqual([["a"], ["b"], []]);
});

test("a feed tells when the last reader has gone", () => {
  let unused = 0;
  const feed = new Feed({ ...plenty, onUnused: () => (unused += 1) });
  const [one, other] = [feed.read("at-once"), feed.read("at-once")];
  one.close();
  one.leave();
  expect(unused).toBe(0);
  other.leave();
  expect(unused).toBe(1);
});

test("a feed is not given up for a slow reader while another one joins", async () => {
  let unused = 0;
  const feed = new Feed({ ...plenty, limit: 1, onUnused: () => (unused += 1) });
  feed.read("at-once");
  feed.push(event("a"));
  await turn();
  feed.push(event("b"));
  const joining = feed.read("at-once");
  expect(unused).toBe(0);
  feed.push(event("c"));
  expect(names(await joining.next())).toEqual(["c"]);
});

test("a reader that is closed holds nothing of what comes after it", async () => {
  const feed = new Feed(plenty);
  const [slow, quick] = [feed.read("at-once"), feed.read("at-once")];
  feed.push(event("a"));
  slow.close();
  const later = new WeakRef(pushed(feed, "later"));
  await turn();
  feed.push(event("b"));
  await follow(quick, (name) => name === "b" && quick.close());
  await turn();
  collectGarbage();
  expect(later.deref()).toBeUndefined();
  expect(names(await slow.next())).toEqual(["a"]);
});

function event(name: string): WatchEvent {
  return { kind: "added", object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } } };
}

function pushed(feed: Feed, name: string): WatchEvent {
  const made = event(name);
  feed.push(made);
  return made;
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

function names(events: readonly WatchEvent[] | undefined): readonly string[] {
  return (events ?? []).map((each) => (each.kind === "bookmark" ? "" : (each.object.metadata.name ?? "")));
}

async function follow(reader: FeedReader, tell: (name: string) => void): Promise<void> {
  for (let events = await reader.next(); events !== undefined; events = await reader.next())
    names(events).forEach(tell);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
