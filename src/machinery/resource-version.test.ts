import { expect, test } from "vitest";
import { compareResourceVersions, isComparableVersion } from "./resource-version.ts";

const cases: readonly (readonly [string | undefined, string | undefined, number])[] = [
  ["5", "5", 0],
  ["9", "10", -1],
  ["10", "9", 1],
  ["123", "124", -1],
  ["99999999999999999999", "100000000000000000000", -1],
  [undefined, "1", -1],
  ["1", "", 1],
  [undefined, "", 0],
];

test.each(cases)("%s against %s", (a, b, order) => {
  expect(Math.sign(compareResourceVersions(a, b))).toBe(order);
});

test("only whole numbers can be compared", () => {
  const given = ["1", "120", "", undefined, "0", "012", "-1", "a", "1.5"];
  expect(given.filter((text) => isComparableVersion(text))).toEqual(["1", "120"]);
});
