import { expect, test } from "vitest";
import { shortened } from "./shorten.ts";

test.each([
  ["a text that fits stays as it is", "a".repeat(20), "a".repeat(20)],
  ["one that does not keeps its beginning and says so", "a".repeat(21), "aaaaaaa… (shortened)"],
  ["characters count, not the units that they are made of", "\u{1F600}".repeat(20), "\u{1F600}".repeat(20)],
  ["no character is cut in two", "\u{1F600}".repeat(21), `${"\u{1F600}".repeat(7)}… (shortened)`],
])("%s", (_, text, expected) => {
  expect(shortened(text, 20)).toBe(expected);
});
