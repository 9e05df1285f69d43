import * as fc from "fast-check";
import { expect, test } from "vitest";
import { generateName, randomSuffix } from "./names.ts";

test("five characters follow the beginning", () => {
  const numbers = [0, 0.5, 0.999, 0.1, 0.2];
  expect(generateName("machine-", () => numbers.shift() ?? 0)).toBe("machine-br9dh");
});

test("a beginning of 58 characters or more is cut, dash and all", () => {
  expect(generateName(`${"a".repeat(58)}-`, () => 0)).toBe(`${"a".repeat(58)}bbbbb`);
  expect(generateName("é".repeat(40), () => 0)).toBe(`${"é".repeat(29)}bbbbb`);
  expect(generateName(`${"a".repeat(57)}é`, () => 0)).toBe(`${"a".repeat(57)}bbbbb`);
});

test("every suffix is made of the alphabet, and no name is longer than 63 bytes", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.string(), chance, (base, number) => {
      expect(randomSuffix(() => number)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(Buffer.byteLength(generateName(base, () => number))).toBeLessThanOrEqual(63);
    }),
  );
});
