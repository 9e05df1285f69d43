import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatDuration,
  formatNanoseconds,
  hours,
  milliseconds,
  minutes,
  noTime,
  parseDuration,
  parseNanoseconds,
  seconds,
} from "./duration.ts";

describe("durations as Go writes them", () => {
  const cases: Record<string, number> = {
    "0s": noTime,
    "1ns": milliseconds(1e-6),
    "1.5µs": milliseconds(0.0015),
    "300ms": milliseconds(300),
    "1s": seconds(1),
    "10s": seconds(10),
    "1.5s": seconds(1.5),
    "1m0s": seconds(60),
    "1m30s": seconds(90),
    "1h0m0s": hours(1),
    "1h1m1.001s": milliseconds(3_661_001),
    "100h0m0s": hours(100),
    "-5m0s": minutes(-5),
  };
  test.each(Object.entries(cases))("%s", (text, duration) => {
    expect(formatDuration(milliseconds(duration))).toBe(text);
    expect(parseDuration(text)).toBe(duration);
  });
});

test.each([
  ["0", 0n],
  ["+0", 0n],
  ["-0", 0n],
  ["1h30m", 5_400_000_000_000n],
  ["1.s", 1_000_000_000n],
  [".5s", 500_000_000n],
  ["+1ms", 1_000_000n],
  ["1us1μs1µs", 3_000n],
  ["0.3333333333333333333h", 1_199_999_999_999n],
  ["0.000000000000000000001h", 0n],
  ["9223372036854775807ns", 9_223_372_036_854_775_807n],
  ["-9223372036854775808ns", -9_223_372_036_854_775_808n],
  [`${"0".repeat(50)}1ns`, 1n],
])("%s is read as Go reads it", (text, nanoseconds) => {
  expect(parseNanoseconds(text)).toBe(nanoseconds);
});

test.each([
  ["", 'time: invalid duration ""'],
  ["-", 'time: invalid duration "-"'],
  ["s", 'time: invalid duration "s"'],
  [".s", 'time: invalid duration ".s"'],
  ["1", 'time: missing unit in duration "1"'],
  ["1h2", 'time: missing unit in duration "1h2"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ["1 s", 'time: unknown unit " s" in duration "1 s"'],
  ["1µ", 'time: unknown unit "\\xc2\\xb5" in duration "1\\xc2\\xb5"'],
  ["1constructor", 'time: unknown unit "constructor" in duration "1constructor"'],
  ['1"', 'time: unknown unit "\\"" in duration "1\\""'],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["3000000h", 'time: invalid duration "3000000h"'],
  ["1e3s", 'time: unknown unit "e" in duration "1e3s"'],
])("%j is refused in Go's words", (text, message) => {
  expect(() => parseDuration(text)).toThrow(expect.objectContaining({ code: "INVALID_DURATION", message }));
});

test("a million digits are refused at once", () => {
  expect(() => parseNanoseconds(`${"9".repeat(1_000_000)}h`)).toThrow("time: invalid duration");
});

test("whatever is written is read back", () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(int64, (nanoseconds) => {
      expect(parseNanoseconds(formatNanoseconds(nanoseconds))).toBe(nanoseconds);
    }),
  );
});
