import { expect, test } from "vitest";
import { createFakeClock, parseTimestamp, seconds } from "#base";
import { hurriedClock } from "./hurried-clock.ts";

function openClock() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  return { clock, hurried: hurriedClock(clock) };
}

test("a pause can be cut short, and those that follow it", async () => {
  const { clock, hurried } = openClock();
  hurried.pausing(true);
  const first = hurried.sleep(seconds(10));
  hurried.hurry(2);
  await first;
  await hurried.sleep(seconds(10));
  const third = hurried.sleep(seconds(10));
  await clock.advance(seconds(10));
  await third;
  expect(hurried.elapsed()).toBe(seconds(10));
});

test("whatever is no pause takes its time", async () => {
  const { clock, hurried } = openClock();
  const sleep = hurried.sleep(seconds(10));
  hurried.hurry(1);
  expect(clock.sleepers).toBe(1);
  await clock.advance(seconds(10));
  await sleep;
});

test("nothing is cut short when there is no hurry any more", async () => {
  const { clock, hurried } = openClock();
  hurried.pausing(true);
  hurried.hurry(2);
  hurried.hurry(0);
  const sleep = hurried.sleep(seconds(10));
  expect(clock.sleepers).toBe(1);
  await clock.advance(seconds(10));
  await sleep;
});

test("a signal ends a pause with its reason", async () => {
  const { hurried } = openClock();
  hurried.pausing(true);
  const stop = new AbortController();
  const sleep = hurried.sleep(seconds(10), { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(sleep).rejects.toThrow("enough");
});
