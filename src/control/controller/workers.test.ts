import { describe, expect, test } from "vitest";
import {
  awaitChange,
  createFakeClock,
  createLogger,
  milliseconds,
  minutes,
  noTime,
  parseTimestamp,
  retry,
  seconds,
} from "#base";
import { createMetrics } from "../metrics.ts";
import type { PassRecord } from "../pass/pass-record.ts";
import { createRateLimit } from "../queue/rate-limit.ts";
import { type QueueEntry, WorkQueue } from "../queue/work-queue.ts";
import { Workers } from "./workers.ts";

type Handler = (signal: AbortSignal) => Promise<PassRecord>;

/** Workers whose passes a test decides on, by the name of the object. */
function scene({ concurrency = 1 } = {}) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "info",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  const metrics = createMetrics();
  const ofController = metrics.controller("lamp", { queue: () => queue, concurrency });
  const handlers = new Map<string, Handler>();
  const begun: string[] = [];
  const records: PassRecord[] = [];
  const stop = new AbortController();
  const cutOff = new AbortController();
  const queue: WorkQueue = new WorkQueue({
    clock,
    limit: createRateLimit({ clock }),
    observer: ofController.queue,
    onReady: () => workers.wake(),
  });
  const workers = new Workers({
    name: "lamp",
    queue,
    concurrency,
    clock,
    deadline: minutes(1),
    metrics: ofController,
    log,
    run({ key }: QueueEntry, signal) {
      begun.push(key.name);
      return handlers.get(key.name)?.(signal) ?? Promise.resolve(recordOf(key.name));
    },
    record: (record) => records.push(record),
    onIdle: () => undefined,
  });
  const ended = workers.work({ signal: stop.signal, cutOff: cutOff.signal });
  const add = async (...names: readonly string[]) => {
    for (const name of names) queue.add({ name });
    await turn();
  };
  const count = async (name: string) => (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { clock, lines, queue, workers, handlers, begun, records, stop, cutOff, ended, add, count };
}

function recordOf(name: string, change: Partial<PassRecord> = {}): PassRecord {
  return {
    reconciler: "lamp",
    key: { name },
    reconcileId: "1",
    at: parseTimestamp("2026-01-01T00:00:00Z"),
    took: noTime,
    outcome: "judged",
    undeclared: [],
    verdicts: [],
    next: awaitChange,
    errors: [],
    wrote: [],
    ...change,
  };
}

/** Lets everything run that can run without time passing. */
async function turn(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}

function never(): Promise<PassRecord> {
  return new Promise(() => undefined);
}

describe("workers", () => {
  test("go on when a pass throws, and come back to its object", async () => {
    const { handlers, add, begun, clock, records, count, lines } = scene();
    handlers.set("a", () => Promise.reject(new Error("boom")));
    await add("a", "b");
    expect(begun).toEqual(["a", "b"]);
    expect(records[0]).toMatchObject({ outcome: "failed", errors: [{ message: "boom" }] });
    handlers.delete("a");
    await clock.advance(milliseconds(5));
    await turn();
    expect(begun).toEqual(["a", "b", "a"]);
    expect(await count("controller_runtime_reconcile_panics_total")).toBe(1);
    expect(lines.join("")).toContain("pass failed");
  });

  test("give the place of a pass that hangs to others when its time is over, and come back to its object", async () => {
    const { handlers, add, begun, clock, records, count } = scene();
    let given: AbortSignal | undefined;
    handlers.set("a", (signal) => {
      given = signal;
      return never();
    });
    await add("a", "b");
    expect([begun, given?.aborted]).toEqual([["a"], false]);
    handlers.delete("a");
    await clock.advance(minutes(1));
    await turn();
    expect([begun, given?.aborted]).toEqual([["a", "b"], true]);
    expect(records.at(0)?.errors[0]?.message).toBe("the pass over a took longer than 1m0s");
    await clock.advance(milliseconds(5));
    await turn();
    expect(begun).toEqual(["a", "b", "a"]);
    expect(await count("controller_runtime_reconcile_timeouts_total")).toBe(1);
  });

  test("do not listen to a pass any more that returns after it was cut off", async () => {
    const { handlers, add, begun, clock, records, workers } = scene();
    let finish: (record: PassRecord) => void = () => undefined;
    handlers.set("a", () => new Promise((resolve) => (finish = resolve)));
    await add("a");
    await clock.advance(minutes(1));
    handlers.delete("a");
    await clock.advance(milliseconds(5));
    await turn();
    finish(recordOf("a", { next: retry(new Error("late")) }));
    await turn();
    expect(begun).toEqual(["a", "a"]);
    expect(records.map(({ outcome }) => outcome)).toEqual(["failed", "judged"]);
    expect(workers.isIdle).toBe(true);
  });

  test("lose nothing that happens to an object while its pass hangs", async () => {
    const { handlers, add, begun, clock } = scene({ concurrency: 2 });
    handlers.set("a", never);
    await add("a");
    await add("a", "b", "c");
    expect(begun).toEqual(["a", "b", "c"]);
    handlers.delete("a");
    await clock.advance(minutes(1));
    await turn();
    expect(begun).toEqual(["a", "b", "c", "a"]);
  });

  test("let passes end before they stop, and cut off those that do not", async () => {
    const { handlers, add, stop, cutOff, ended, queue } = scene({ concurrency: 2 });
    let finish: (record: PassRecord) => void = () => undefined;
    const signals: AbortSignal[] = [];
    handlers.set("a", (signal) => {
      signals.push(signal);
      return new Promise((resolve) => (finish = resolve));
    });
    handlers.set("b", (signal) => {
      signals.push(signal);
      return never();
    });
    await add("a", "b");
    stop.abort();
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    queue.add({ name: "c" });
    finish(recordOf("a"));
    await turn();
    expect([hasEnded, signals.map(({ aborted }) => aborted)]).toEqual([false, [false, false]]);
    cutOff.abort(new Error("too late"));
    await ended;
    expect(signals[1]?.reason).toMatchObject({ message: "too late" });
  });

  test("say when there is nothing to do", async () => {
    const { handlers, workers, queue } = scene();
    let finish: (record: PassRecord) => void = () => undefined;
    handlers.set("a", () => new Promise((resolve) => (finish = resolve)));
    queue.add({ name: "a" });
    workers.pending.begin();
    let isIdle = false;
    void workers.idle().then(() => (isIdle = true));
    await turn();
    finish(recordOf("a", { next: { kind: "requeue", after: seconds(1), why: "later" } }));
    await turn();
    expect(isIdle).toBe(false);
    workers.pending.end();
    await turn();
    expect(isIdle).toBe(true);
  });
});
