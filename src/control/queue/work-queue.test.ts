import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFakeClock, milliseconds, parseTimestamp, seconds } from "#base";
import type { ObjectKey } from "#machinery";
import { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";
import { priorities, type QueueEntry, WorkQueue } from "./work-queue.ts";

function scene(options: Omit<RateLimitOptions, "clock"> = {}) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  let rings = 0;
  const queue = new WorkQueue({
    clock,
    limit: createRateLimit({ clock, ...options }),
    onReady: () => {
      rings++;
    },
  });
  const drain = () => {
    const names: string[] = [];
    for (let entry = queue.take(); entry !== undefined; entry = queue.take()) {
      names.push(entry.key.name);
      queue.done(entry);
    }
    return names;
  };
  return { clock, queue, drain, rings: () => rings };
}
const key = (name: string, namespace = "n"): ObjectKey => ({ namespace, name });

function taken(queue: WorkQueue): QueueEntry {
  const entry = queue.take();
  if (entry === undefined) throw new Error("nothing to take");
  return entry;
}

describe("a queue", () => {
  test("holds an object once, however often it is added", () => {
    const { queue, drain } = scene();
    for (const name of ["a", "b", "a", "a"]) queue.add(key(name));
    expect(drain()).toEqual(["a", "b"]);
    expect(queue.isIdle).toBe(true);
  });

  test("hands out an object again only after its pass, if something happened meanwhile", () => {
    const { queue, rings } = scene();
    queue.add(key("a"));
    const entry = taken(queue);
    queue.add(key("a"));
    queue.add(key("a"));
    expect([queue.take(), queue.isIdle, rings()]).toEqual([undefined, false, 1]);
    queue.done(entry);
    expect([queue.take()?.key.name, rings()]).toEqual(["a", 2]);
  });

  test("takes what happens before what is only shown at start-up", () => {
    const { queue, drain } = scene();
    queue.add(key("a"), { priority: priorities.low });
    queue.add(key("b"), { priority: priorities.low });
    queue.add(key("c"));
    queue.add(key("b"));
    queue.add(key("c"), { priority: priorities.low });
    expect(queue.depths()).toEqual([
      { priority: 0, count: 2 },
      { priority: -100, count: 1 },
    ]);
    expect(drain()).toEqual(["c", "b", "a"]);
  });

  test("takes one of each group in turn", () => {
    const { queue, drain } = scene();
    for (const name of ["a1", "a2", "a3", "a4"]) queue.add(key(name, "a"));
    for (const name of ["b1", "b2"]) queue.add(key(name, "b"));
    expect(drain()).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
  });

  test("waits longer after each failure, from 5 ms to 1000 s, and forgets them after a success", async () => {
    const { clock, queue } = scene();
    queue.add(key("a"));
    for (let failures = 0; failures < 20; failures++) {
      queue.retry(taken(queue));
      const delay = Math.min(5 * 2 ** failures, 1_000_000);
      await clock.advance(milliseconds(delay - 1));
      expect(queue.depth).toBe(0);
      await clock.advance(milliseconds(1));
    }
    const last = taken(queue);
    expect(last.failures).toBe(20);
    queue.done(last);
    queue.add(key("a"));
    expect(taken(queue).failures).toBe(0);
  });

  test("comes at once when something happens to an object that waits", async () => {
    const { clock, queue, drain } = scene();
    queue.add(key("a"), { after: seconds(60) });
    queue.add(key("b"), { after: seconds(30) });
    queue.add(key("b"), { after: seconds(90) });
    expect([drain(), queue.isIdle]).toEqual([[], true]);
    queue.add(key("a"));
    expect(drain()).toEqual(["a"]);
    await clock.advance(seconds(30));
    expect(drain()).toEqual(["b"]);
    await clock.advance(seconds(120));
    expect([drain(), clock.sleepers]).toEqual([[], 0]);
  });

  test("does not let anybody wait for company once there is nothing else to do", async () => {
    const { clock, queue, drain } = scene();
    queue.add(key("a"), { after: seconds(2), orInLull: true });
    queue.add(key("b"), { after: seconds(2) });
    queue.add(key("c"), { after: seconds(2), orInLull: true });
    queue.add(key("c"));
    expect([drain(), queue.isPatient]).toEqual([["c"], true]);
    queue.hurry();
    expect([drain(), queue.isPatient]).toEqual([["a"], false]);
    queue.add(key("a"), { after: seconds(2), orInLull: true });
    await clock.advance(seconds(2));
    expect([drain(), queue.isPatient, clock.sleepers]).toEqual([["a", "b"], false, 0]);
    queue.hurry();
    expect(drain()).toEqual([]);
  });

  test("hands out what a pass has put off in a lull", () => {
    const { queue, drain } = scene();
    queue.add(key("a"));
    queue.doneFor(taken(queue), seconds(10), { orInLull: true });
    expect(drain()).toEqual([]);
    queue.hurry();
    expect(drain()).toEqual(["a"]);
  });

  test("looks again after the time that a pass asked for, unless something happens before", async () => {
    const { clock, queue, drain } = scene();
    queue.add(key("a"));
    queue.doneFor(taken(queue), seconds(10));
    await clock.advance(seconds(9));
    expect(drain()).toEqual([]);
    await clock.advance(seconds(1));
    expect(drain()).toEqual(["a"]);
  });

  test("lets passes over one object begin a second apart, if the gate says so", async () => {
    const { clock, queue, drain } = scene({ interval: seconds(1) });
    queue.add(key("a"));
    queue.add(key("b"));
    expect(drain()).toEqual(["a", "b"]);
    queue.add(key("a"));
    expect(drain()).toEqual([]);
    await clock.advance(seconds(1));
    queue.retry(taken(queue));
    await clock.advance(milliseconds(1004));
    expect(queue.depth).toBe(0);
    await clock.advance(milliseconds(1));
    expect(drain()).toEqual(["a"]);
  });

  test("lets only so many failed objects come at once, and ten a second then", async () => {
    const { clock, queue } = scene();
    for (let index = 0; index < 130; index++) queue.add(key(`a${index}`));
    for (let entry = queue.take(); entry !== undefined; entry = queue.take()) queue.retry(entry);
    await clock.advance(milliseconds(50));
    expect(queue.depth).toBe(100);
    await clock.advance(milliseconds(1000));
    expect(queue.depth).toBe(110);
    queue.close();
    expect(clock.sleepers).toBe(0);
  });

  test("never gives an object to two and never loses one, whatever happens", async () => {
    const names = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ op: fc.constant("add" as const), name: names, low: fc.boolean() }),
      fc.record({ op: fc.constant("later" as const), name: names, ms: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ op: fc.constant("take" as const) }),
      fc.record({ op: fc.constantFrom("done" as const, "retry" as const), name: names }),
      fc.record({ op: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 50 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, queue } = scene();
        const running = new Map<string, QueueEntry>();
        const owed = new Set<string>();
        for (const one of steps) {
          if (one.op === "add") {
            queue.add(key(one.name), { priority: one.low ? priorities.low : priorities.usual });
            owed.add(one.name);
          } else if (one.op === "later") {
            queue.add(key(one.name), { after: milliseconds(one.ms) });
            owed.add(one.name);
          } else if (one.op === "advance") await clock.advance(milliseconds(one.ms));
          else if (one.op === "take") {
            const entry = queue.take();
            if (entry === undefined) continue;
            if (running.has(entry.key.name)) throw new Error("in two hands");
            running.set(entry.key.name, entry);
            owed.delete(entry.key.name);
          } else {
            const entry = running.get(one.name);
            if (entry === undefined) continue;
            running.delete(one.name);
            if (one.op === "done") queue.done(entry);
            else {
              queue.retry(entry);
              owed.add(one.name);
            }
          }
        }
        for (const entry of running.values()) queue.done(entry);
        await clock.advance(seconds(2000));
        for (let entry = queue.take(); entry !== undefined; entry = queue.take()) {
          owed.delete(entry.key.name);
          queue.done(entry);
        }
        expect([...owed]).toEqual([]);
      }),
    );
  });
});
