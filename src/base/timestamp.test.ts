import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minutes, seconds } from "./duration.ts";
import { after, between, instantOf, latest, parseInstant, parseTimestamp, timestampOf } from "./timestamp.ts";

describe("reading RFC 3339", () => {
  const cases: Record<string, string> = {
    "2026-11-15T10:32:03Z": "2026-11-15T10:32:03Z",
    "2026-11-15T10:32:03.999999Z": "2026-11-15T10:32:03Z",
    "2026-11-15T10:32:03+02:00": "2026-11-15T08:32:03Z",
    "2026-11-15T23:32:03-01:30": "2026-11-16T01:02:03Z",
    "2024-02-29T00:00:00Z": "2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59.5Z": "1969-12-31T23:59:59Z",
  };
  test.each(Object.entries(cases))("%s", (text, timestamp) => {
    expect(parseTimestamp(text)).toBe(timestamp);
  });

  test.each([
    "",
    "nope",
    "2026-11-15",
    "2026-11-15 10:32:03Z",
    "2026-11-15T10:32:03",
    "2026-11-15t10:32:03z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00Z\n",
  ])("%j is refused", (text) => {
    const message = expect.stringMatching(/^parsing time ".*" as "2006-01-02T15:04:05Z07:00": /s) as string;
    expect(() => parseTimestamp(text)).toThrow(expect.objectContaining({ code: "INVALID_TIMESTAMP", message }));
  });

  test("milliseconds are exact, and what is finer is dropped", () => {
    for (let millisecond = 0; millisecond < 1000; millisecond++) {
      const text = `1970-01-01T00:00:00.${String(millisecond).padStart(3, "0")}999Z`;
      expect(parseInstant(text)).toBe(millisecond);
    }
  });
});

test("a time is written with the second in which it lies", () => {
  expect([timestampOf(0), timestampOf(999), timestampOf(-1)]).toEqual([
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
  ]);
});

test("whatever is written is read back, and order of texts is order of times", () => {
  const second = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
  fc.assert(
    fc.property(second, second, (a, b) => {
      const [first, other] = [timestampOf(a * 1000), timestampOf(b * 1000)];
      expect(instantOf(parseTimestamp(first))).toBe(a * 1000);
      expect(first < other).toBe(a < b);
    }),
  );
});

test("times and durations add up", () => {
  const start = parseTimestamp("2026-11-15T10:00:00Z");
  const end = after(start, minutes(90));
  expect([end, between(start, end), between(end, start)]).toEqual([
    "2026-11-15T11:30:00Z",
    seconds(5400),
    seconds(-5400),
  ]);
});

test("the latest of some times", () => {
  const [early, late] = [parseTimestamp("2026-01-01T00:00:00Z"), parseTimestamp("2026-01-02T00:00:00Z")];
  expect([latest(early, late), latest(late, undefined, early), latest(undefined), latest()]).toEqual([
    late,
    late,
    undefined,
    undefined,
  ]);
});

test("a time with a million digits is read but not kept", () => {
  v8.setFlagsFromString("--expose-gc");
  const collectGarbage: unknown = runInNewContext("gc");
  const heapInUse = () => {
    if (typeof collectGarbage === "function") collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapInUse();
  for (let count = 0; count < 100; count++) parseTimestamp(`2026-11-15T10:00:00.${count}${"0".repeat(1_000_000)}Z`);
  expect(heapInUse() - before).toBeLessThan(20_000_000);
});
