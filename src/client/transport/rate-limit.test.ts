import { createFakeClock, milliseconds, parseTimestamp, seconds } from "#base";
import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limit.ts";

const clockAt = () => createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));

test("a burst passes at once, the rest at the given rate and in order", async () => {
  const clock = clockAt();
  const limiter = createRateLimiter({ qps: 10, burst: 3 }, { clock });
  const passed: [call: number, at: number][] = [];
  const calls = Array.from({ length: 6 }, async (_, call) => {
    await limiter.pass();
    passed.push([call, clock.elapsed()]);
  });
  await clock.advance(seconds(1));
  await Promise.all(calls);
  expect(passed).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 100],
    [4, 200],
    [5, 300],
  ]);
});

test("a rest fills the bucket, but not beyond its size", async () => {
  const clock = clockAt();
  const limiter = createRateLimiter({ qps: 10, burst: 2 }, { clock });
  await limiter.pass();
  await limiter.pass();
  await clock.advance(seconds(60));
  expect([await limiter.pass(), await limiter.pass()]).toEqual([0, 0]);
  const third = limiter.pass();
  await clock.advance(milliseconds(100));
  expect(await third).toBe(100);
});

test("who gives up leaves its turn to the next", async () => {
  const clock = clockAt();
  const limiter = createRateLimiter({ qps: 1, burst: 1 }, { clock });
  await limiter.pass();
  const stop = new AbortController();
  const given = limiter.pass({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  const next = limiter.pass();
  await clock.advance(seconds(1));
  expect(await next).toBe(1000);
});

test.each([
  { qps: 0, burst: 1 },
  { qps: -1, burst: 1 },
  { qps: 5, burst: 0 },
  { qps: NaN, burst: 1 },
])("a limit that lets nothing pass is refused: %o", (limit) => {
  expect(() => createRateLimiter(limit, { clock: clockAt() })).toThrow("a rate limit needs a positive qps");
});
