import * as fc from "fast-check";
import { expect, test } from "vitest";
import { instantOfMicroTime, microTimeOf, parseMicroTime } from "./micro-time.ts";

test.each([
  [0, "1970-01-01T00:00:00.000000Z"],
  [1.5, "1970-01-01T00:00:00.001500Z"],
  [999.9996, "1970-01-01T00:00:00.999999Z"],
  [-0.001, "1969-12-31T23:59:59.999999Z"],
  [1_794_738_723_123, "2026-11-15T10:32:03.123000Z"],
])("%s milliseconds are %s", (instant, text) => {
  expect(microTimeOf(instant)).toBe(text);
});

test.each([
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456Z"],
  ["2026-01-01T01:00:00.000001+01:00", "2026-01-01T00:00:00.000001Z"],
  ["2025-12-31T22:30:00.000000-01:30", "2026-01-01T00:00:00.000000Z"],
])("%s is read as %s", (text, time) => {
  expect(parseMicroTime(text)).toBe(time);
});

test.each([
  "",
  "2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00.1Z",
  "2026-01-01T00:00:00.123456789Z",
  "2026-01-01T00:00:00,123456Z",
  "2026-02-30T00:00:00.000000Z",
  "2026-01-01t00:00:00.000000z",
  "2026-01-01T00:00:00.000000",
])("%j is refused", (text) => {
  const message = expect.stringMatching(/^parsing time ".*" as "2006-01-02T15:04:05.000000Z07:00": /) as string;
  expect(() => parseMicroTime(text)).toThrow(expect.objectContaining({ code: "INVALID_TIMESTAMP", message }));
});

test("an instant is exact to the microsecond", () => {
  expect(instantOfMicroTime(parseMicroTime("1970-01-01T00:00:01.234567Z"))).toBe(1234.567);
  expect(instantOfMicroTime(parseMicroTime("1969-12-31T23:59:59.999000Z"))).toBe(-1);
});

test("whatever is written is read back, and order of texts is order of times", () => {
  const millisecond = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(millisecond, millisecond, (a, b) => {
      const [first, other] = [microTimeOf(a), microTimeOf(b)];
      expect(parseMicroTime(first)).toBe(first);
      expect(instantOfMicroTime(first)).toBe(a);
      expect(first < other).toBe(a < b);
    }),
  );
});
