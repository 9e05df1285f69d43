import { expect, test } from "vitest";
import { labelValueOf } from "./label-value.ts";
import { labelValueProblems } from "./labels.ts";

test.each([
  ["blue", "blue"],
  ["", ""],
  ["a".repeat(63), "a".repeat(63)],
  ["-", "hash_KAyUOA_z"],
])("%j becomes %j", (text, value) => {
  expect(labelValueOf(text)).toBe(value);
});

test("a text that is too long becomes a value that is allowed", () => {
  const value = labelValueOf("a".repeat(64));
  expect(labelValueProblems(value)).toEqual([]);
  expect(value).toMatch(/^hash_[\w-]{6}_z$/);
});
