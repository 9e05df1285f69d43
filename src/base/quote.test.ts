import { expect, test } from "vitest";
import { bracketed, quote } from "./quote.ts";

test.each([
  ["plain text", '"plain text"'],
  ['"', '"\\""'],
  ["\\", '"\\\\"'],
  ["\u0007\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
  ["\u0000\u0001\u007f", '"\\x00\\x01\\x7f"'],
  ["\u00a0\u200b\ufeff", '"\\u00a0\\u200b\\ufeff"'],
  ["\u{e0001}", '"\\U000e0001"'],
  ["ä世界🙂", '"ä世界🙂"'],
  ["\ud800x", '"\ufffdx"'],
  ["<>&'", '"<>&\'"'],
])("%j is %s", (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test("a list of texts is printed as Go prints it", () => {
  expect([bracketed([]), bracketed(["a", "b c"]), bracketed(["a", "b"].map(quote))]).toEqual([
    "[]",
    "[a b c]",
    '["a" "b"]',
  ]);
});
