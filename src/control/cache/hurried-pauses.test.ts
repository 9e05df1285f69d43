import { expect, test } from "vitest";
import { createFakeClock, parseTimestamp, seconds } from "#base";
import { hurriedPauses } from "./hurried-pauses.ts";

function open() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  return { clock, hurried: hurriedPauses(clock) };
}

test("a pause can be cut short, and those that follow it", async () => {
  const { clock, hurried } = open();
  const first = hurried.pause(seconds(10));
  hurried.hurry(2);
  await first;
  await hurried.pause(seconds(10));
  const third = hurried.pause(seconds(10));
  await clock.advance(seconds(10));
  await third;
  expect(clock.elapsed()).toBe(seconds(10));
});

test("nothing is cut short when there is no hurry any more", async () => {
  const { clock, hurried } = open();
  hurried.hurry(2);
  hurried.hurry(0);
  const pause = hurried.pause(seconds(10));
  expect(clock.sleepers).toBe(1);
  await clock.advance(seconds(10));
  await pause;
});

test("a signal ends a pause with its reason", async () => {
  const { hurried } = open();
  const stop = new AbortController();
  const pause = hurried.pause(seconds(10), { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(pause).rejects.toThrow("enough");
});
