import { expect, test } from "vitest";
import { StringPool } from "./string-pool.ts";

test("what is said stays the same", () => {
  const text = JSON.stringify({
    name: "a long enough name",
    short: "a",
    list: ["a long enough name", 1, null, { deep: ["another long name"] }],
    number: 2,
    nothing: null,
    "": "x".repeat(500),
    ["__proto__"]: "a long enough name",
  });
  const pool = new StringPool();
  for (const times of [1, 2]) expect(JSON.stringify(pool.intern(JSON.parse(text))), `${times}`).toBe(text);
  expect([pool.intern("text"), pool.intern(3), pool.intern(null)]).toEqual(["text", 3, null]);
});

test("more names than are remembered are still told apart", () => {
  const pool = new StringPool();
  const names = Array.from({ length: 50_000 }, (_, index) => `a name that is long ${index}`);
  expect(pool.intern([...names])).toEqual(names);
});

test("what is nested too deep to be walked is refused", () => {
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  expect(() => new StringPool().intern(nested(1000))).not.toThrow();
  expect(() => new StringPool().intern(nested(5000))).toThrow("exceeded max depth");
});

test("what is frozen is left alone", () => {
  const frozen = Object.freeze({ name: "a long enough name" });
  expect(() => new StringPool().intern({ frozen, list: Object.freeze(["another long name"]) })).not.toThrow();
});
