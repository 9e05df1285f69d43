import { expect, test } from "vitest";
import { WeakCache } from "./weak-cache.ts";

test("what was set is found, and nothing else is", () => {
  const cache = new WeakCache<object, string>(10);
  const [one, other] = [{}, {}];
  cache.set(one, "one", 1);
  expect(cache.get(one)).toBe("one");
  expect(cache.get(other)).toBeUndefined();
});

test("what is in demand outlives what is not", () => {
  const cache = new WeakCache<object, number>(3);
  const [wanted, forgotten] = [{}, {}];
  cache.set(wanted, 1, 1);
  cache.set(forgotten, 2, 1);
  for (let count = 0; count < 10; count += 1) {
    expect(cache.get(wanted)).toBe(1);
    cache.set({}, count, 1);
  }
  expect(cache.get(forgotten)).toBeUndefined();
});

test("something heavier than all that may be kept does not stay for long", () => {
  const cache = new WeakCache<object, string>(3);
  const heavy = {};
  cache.set(heavy, "heavy", 100);
  expect(cache.get(heavy)).toBe("heavy");
  cache.set({}, "light", 1);
  cache.set({}, "light", 3);
  expect(cache.get(heavy)).toBeUndefined();
});
