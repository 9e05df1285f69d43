import { createFakeClock, milliseconds, minutes, parseTimestamp, seconds } from "#base";
import { expect, test } from "vitest";
import { Deadlines } from "./deadlines.ts";

test("whoever is late is told so when their time is over, in whatever order they came", async () => {
  const { clock, deadlines, late, told } = opened();
  deadlines.add(minutes(1), late("slow"));
  deadlines.add(seconds(5), late("quick"));
  await clock.advance(milliseconds(4_999));
  expect(told).toEqual([]);
  await clock.advance(milliseconds(1));
  expect(told).toEqual(["quick"]);
  await clock.advance(seconds(55));
  expect(told).toEqual(["quick", "slow"]);
});

test("whoever is done in time is told nothing", async () => {
  const { clock, deadlines, late, told } = opened();
  deadlines.add(seconds(5), late("done"))();
  await clock.advance(minutes(1));
  expect(told).toEqual([]);
});

test("nobody wakes before somebody's time is over, and nobody sleeps for those who are done", async () => {
  const { clock, deadlines, late } = opened();
  deadlines.add(minutes(1), late("first"))();
  deadlines.add(minutes(1), late("second"))();
  expect(clock.sleepers).toBe(1);
  expect(clock.untilNextWake).toBe(minutes(1));
  await clock.advance(minutes(1));
  expect(clock.sleepers).toBe(0);
});

test("deadlines that are closed leave nobody asleep and tell nobody", async () => {
  const { clock, deadlines, late, told } = opened();
  deadlines.add(minutes(1), late("under way"));
  deadlines.close();
  expect(clock.sleepers).toBe(0);
  await clock.advance(minutes(2));
  expect(told).toEqual([]);
});

function opened() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const told: string[] = [];
  const late = (name: string) => () => void told.push(name);
  return { clock, deadlines: new Deadlines(clock), late, told };
}
