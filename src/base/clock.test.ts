import { describe, expect, test } from "vitest";
import { createFakeClock, systemClock } from "./clock.ts";
import { hours, milliseconds, seconds } from "./duration.ts";
import { parseTimestamp } from "./timestamp.ts";

const start = parseTimestamp("2026-11-15T10:00:00Z");

describe("a fake clock", () => {
  test("stands still until it is moved", async () => {
    const clock = createFakeClock(start);
    expect([clock.now(), clock.instant(), clock.elapsed()]).toEqual([start, Date.parse(start), 0]);
    await clock.advance(milliseconds(1500));
    expect([clock.now(), clock.instant() - Date.parse(start), clock.elapsed()]).toEqual([
      "2026-11-15T10:00:01Z",
      1500,
      1500,
    ]);
  });

  test("wakes sleepers in order, each at its time and before the next", async () => {
    const clock = createFakeClock(start);
    const woken: [string, number][] = [];
    const sleeper = async (name: string, count: number, duration: number): Promise<void> => {
      for (let round = 0; round < count; round++) {
        await clock.sleep(seconds(duration));
        woken.push([name, clock.elapsed()]);
      }
    };
    const all = Promise.all([sleeper("slow", 1, 3), sleeper("fast", 4, 1)]);
    expect(clock.sleepers).toBe(2);
    await clock.advance(seconds(4));
    await all;
    expect(woken).toEqual([
      ["fast", 1000],
      ["fast", 2000],
      ["slow", 3000],
      ["fast", 3000],
      ["fast", 4000],
    ]);
    expect(clock.sleepers).toBe(0);
  });

  test("a sleep ends with the reason of its signal", async () => {
    const clock = createFakeClock(start);
    const controller = new AbortController();
    const reason = new Error("stop");
    const sleep = clock.sleep(seconds(1), { signal: controller.signal });
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    await expect(clock.sleep(seconds(1), { signal: controller.signal })).rejects.toBe(reason);
    expect(clock.sleepers).toBe(0);
  });

  test("no time at all is over as soon as time moves", async () => {
    const clock = createFakeClock(start);
    const sleep = clock.sleep(seconds(-5));
    await clock.advance(seconds(0));
    await expect(sleep).resolves.toBeUndefined();
  });
});

describe("the clock of the machine", () => {
  test("sleeps, and never goes back", async () => {
    const before = systemClock.elapsed();
    await systemClock.sleep(milliseconds(1));
    expect(systemClock.elapsed()).toBeGreaterThanOrEqual(before);
    expect(Date.parse(systemClock.now())).toBeLessThanOrEqual(systemClock.instant());
  });

  test("a sleep of a hundred days is not over at once", async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(hours(2400), { signal: controller.signal });
    const outcome = Promise.race([sleep.then(() => "over"), systemClock.sleep(milliseconds(20)).then(() => "asleep")]);
    expect(await outcome).toBe("asleep");
    controller.abort(new Error("stop"));
    await expect(sleep).rejects.toThrow("stop");
  });
});
