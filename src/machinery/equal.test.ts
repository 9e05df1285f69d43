import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepClone, deepFreeze } from "./clone.ts";
import { deepEqual } from "./equal.ts";
import { encodeJson } from "./json-encode.ts";
import type { Json } from "./json.ts";

const withPrototypeKey = (value: string): unknown => JSON.parse(`{"__proto__":${value}}`);

describe("deepEqual", () => {
  const cases: Record<string, [a: unknown, b: unknown, equal: boolean]> = {
    "equal scalars": ["a", "a", true],
    "null and nothing": [null, undefined, false],
    "null and an object": [null, {}, false],
    "a list and an object": [[], {}, false],
    "an object and a list": [{}, [], false],
    "keys in another order": [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    "another key": [{ a: 1 }, { b: 1 }, false],
    "one key more": [{ a: 1 }, { a: 1, b: 2 }, false],
    "another order of a list": [[1, 2], [2, 1], false],
    "a longer list": [[1], [1, 2], false],
    "deep inside": [{ a: [{ b: { c: 1 } }] }, { a: [{ b: { c: 2 } }] }, false],
    "a number and the same bigint": [5, 5n, true],
    "a bigint and the same number": [5n, 5, true],
    "a bigint and half a number more": [5n, 5.5, false],
    "a bigint and no number at all": [5n, Infinity, false],
    "two large integers that round to one number": [9007199254740993n, 9007199254740992n, false],
    "a number and a text": [1, "1", false],
    "__proto__ as data against nothing": [withPrototypeKey("{}"), {}, false],
    "nothing against __proto__ as data": [{}, withPrototypeKey("{}"), false],
    "__proto__ as data against another key": [withPrototypeKey("{}"), { a: {} }, false],
    "__proto__ as data, both": [withPrototypeKey("[1]"), withPrototypeKey("[1]"), true],
    "a key that objects inherit": [{ constructor: 1 }, { other: 1 }, false],
    "a member that is undefined against another key": [{ a: undefined }, { b: 1 }, false],
  };
  test.each(Object.entries(cases))("%s", (_, [a, b, equal]) => {
    expect(deepEqual(a, b)).toBe(equal);
  });

  test("compares what a stack could not hold", () => {
    expect(deepEqual(nested(200_000, 1), nested(200_000, 1))).toBe(true);
    expect(deepEqual(nested(200_000, 1), nested(200_000, 2))).toBe(false);
  });

  test("agrees with equal texts", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(deepEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true);
        expect(deepEqual(a, b)).toBe(encodeJson(a as Json) === encodeJson(b as Json));
      }),
    );
  });
});

describe("deepClone", () => {
  test("shares nothing and can be changed, frozen original or not", () => {
    const original = deepFreeze({ a: [{ b: 1 }], c: { d: null } });
    const copy = deepClone(original) as { a: { b: number }[]; c: object };
    expect(copy).toEqual(original);
    copy.a[0] = { b: 2 };
    copy.a.push({ b: 3 });
    expect(original).toEqual({ a: [{ b: 1 }], c: { d: null } });
    expect(copy.c).not.toBe(original.c);
  });

  test("keeps __proto__ as data", () => {
    const copy = deepClone(withPrototypeKey('{"a":[1]}'));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":[1]}}');
  });

  test("copies what a stack could not hold", () => {
    const original = nested(200_000, 1);
    const copy = deepClone(original);
    expect(deepEqual(copy, original)).toBe(true);
    expect((copy as unknown[])[0] === (original as unknown[])[0]).toBe(false);
  });
});

describe("deepFreeze", () => {
  test("freezes everything inside and hands the value back", () => {
    const value = { a: [{ b: 1 }] };
    expect(deepFreeze(value)).toBe(value);
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true);
  });

  test("leaves scalars alone", () => {
    expect([deepFreeze(null), deepFreeze("a"), deepFreeze(undefined)]).toEqual([null, "a", undefined]);
  });

  test("freezes what is new beside an older value that is frozen", () => {
    const older = deepFreeze({ a: [{ b: 1 }], c: { d: [1] } });
    const value = { a: [older.a[0], { b: 2 }], c: older.c, e: { f: [] } };
    deepFreeze(value, older);
    expect([value, value.a, value.a[1], value.e, value.e.f].every(Object.isFrozen)).toBe(true);
  });

  test("freezes what a stack could not hold", () => {
    let [at, level] = [deepFreeze(nested(200_000, 1)), 0];
    for (; typeof at === "object" && at !== null && Object.isFrozen(at); level++) at = Object.values(at)[0];
    expect([at, level]).toEqual([1, 200_000]);
  });
});

function nested(levels: number, core: unknown): unknown {
  let value = core;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { in: value } : [value];
  return value;
}
