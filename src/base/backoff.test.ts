import { describe, expect, test } from "vitest";
import { exponentialBackoff, retrying } from "./backoff.ts";
import { createFakeClock } from "./clock.ts";
import { milliseconds, seconds } from "./duration.ts";
import { CapstanError } from "./errors.ts";
import { parseTimestamp } from "./timestamp.ts";

class FinalError extends CapstanError {
  readonly code = "FINAL";
  override readonly terminal = true;
}

const start = parseTimestamp("2026-11-15T10:00:00Z");
const backoff = exponentialBackoff({ first: seconds(1), most: seconds(10) });

describe("delays", () => {
  test("grow by the factor up to the most", () => {
    expect([1, 2, 3, 4, 5, 6, 1000, 100_000].map((failures) => backoff.delayAfter(failures))).toEqual(
      [1, 2, 4, 8, 10, 10, 10, 10].map(seconds),
    );
  });

  test("may grow by another factor, or not at all", () => {
    const steady = exponentialBackoff({ first: milliseconds(5), factor: 1, most: seconds(1) });
    expect([1, 2, 3].map((failures) => steady.delayAfter(failures))).toEqual([5, 5, 5]);
  });

  test("are stretched by chance, but never beyond the most", () => {
    const numbers = [0, 0.5, 0.999, 1];
    const random = () => numbers.shift() ?? 0;
    const jittered = exponentialBackoff({ first: seconds(1), most: milliseconds(4500), jitter: 0.5, random });
    expect([1, 2, 2, 3].map((failures) => Math.round(jittered.delayAfter(failures)))).toEqual([1000, 2500, 2999, 4500]);
  });
});

describe("retrying", () => {
  test("tries until it succeeds, with the delays between", async () => {
    const clock = createFakeClock(start);
    const tries: [number, number][] = [];
    const result = retrying(
      async (attempt) => {
        tries.push([attempt, clock.elapsed()]);
        if (attempt < 4) throw new Error("not yet");
        return "done";
      },
      { clock, backoff },
    );
    await clock.advance(seconds(60));
    expect(await result).toBe("done");
    expect(tries).toEqual([
      [1, 0],
      [2, 1000],
      [3, 3000],
      [4, 7000],
    ]);
  });

  test("gives up with the last error when the attempts are used up", async () => {
    const clock = createFakeClock(start);
    const result = retrying((attempt) => Promise.reject(new Error(`try ${attempt}`)), {
      clock,
      backoff,
      attempts: 3,
    });
    await Promise.all([expect(result).rejects.toThrow("try 3"), clock.advance(seconds(60))]);
  });

  test("does not try again what is not worth it", async () => {
    const options = { clock: createFakeClock(start), backoff };
    await expect(retrying(() => Promise.reject(new FinalError("no")), options)).rejects.toThrow("no");
    const never = { ...options, retryable: () => false };
    await expect(retrying(() => Promise.reject(new Error("bad")), never)).rejects.toThrow("bad");
  });

  test("ends with the reason of its signal, before a try or between two", async () => {
    const clock = createFakeClock(start);
    const controller = new AbortController();
    const options = { clock, backoff, signal: controller.signal };
    const result = retrying(() => Promise.reject(new Error("again")), options);
    await clock.advance(milliseconds(500));
    controller.abort(new Error("stop"));
    await expect(result).rejects.toThrow("stop");
    await expect(retrying(() => Promise.resolve(1), options)).rejects.toThrow("stop");
  });
});
