import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { gzipParts } from "./gzip-parts.ts";

test.each([
  ["nothing", []],
  ["small pieces", ["[", "1", ",", "2", "]"]],
  ["a large piece among small ones", ["[", `"${"abc".repeat(1000)}"`, ",", "é", "]"]],
  ["many pieces", Array.from({ length: 500 }, (_, index) => `${index} `.repeat(index))],
])("%s come out as they went in", (_, texts) => {
  const zipped = Buffer.concat([...gzipParts(texts.map((text) => Buffer.from(text)))]);
  expect(gunzipSync(zipped).toString()).toBe(texts.join(""));
});

test("a piece that comes again is the same piece", () => {
  const parts = [Buffer.from("x".repeat(5000))];
  const [, first] = gzipParts(parts);
  const [, second] = gzipParts(parts);
  expect(first).toBe(second);
});
