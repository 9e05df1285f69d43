import { expect, test } from "vitest";
import { milliseconds, seconds } from "#base";
import { soonest, timeLeft } from "./pace.ts";

const interval = seconds(20);

test.each([
  { what: "what was never done may be done", last: undefined, left: undefined },
  { what: "within the interval the rest of it is left", last: seconds(85), left: seconds(5) },
  { what: "at the end of the interval nothing is left", last: seconds(80), left: undefined },
  { what: "after the interval nothing is left", last: seconds(79), left: undefined },
])("$what", ({ last, left }) => {
  expect(timeLeft(seconds(100), { last, interval })).toBe(left);
});

test("the shortest wait counts, or the fallback where there is none", () => {
  expect(soonest([seconds(30), milliseconds(1), seconds(10)], seconds(10))).toBe(1);
  expect(soonest([seconds(30)], seconds(10))).toBe(seconds(30));
  expect(soonest([], seconds(10))).toBe(seconds(10));
});
