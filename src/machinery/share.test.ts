import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "./clone.ts";
import { sharing } from "./share.ts";

describe("sharing", () => {
  test("an equal value is the older one itself", () => {
    const older = { a: [1, { b: "x" }], c: null };
    expect(sharing({ c: null, a: [1, { b: "x" }] }, older)).toBe(older);
  });

  test("only the way to a change is new", () => {
    const older = { spec: { a: [1] }, status: { b: [2] } };
    const next = sharing({ spec: { a: [1] }, status: { b: [3] } }, older);
    expect(next).toEqual({ spec: { a: [1] }, status: { b: [3] } });
    expect(next.spec).toBe(older.spec);
    expect(next.status).not.toBe(older.status);
  });

  test("an integer is equal however it is held", () => {
    const older = { a: [1n, { b: 2 }] };
    expect(sharing<unknown>({ a: [1, { b: 2n }] }, older)).toBe(older);
  });

  test("a key more or less is a change", () => {
    const older = { a: { x: [1], y: 1 } };
    const [fewer, more] = [sharing({ a: { x: [1] } }, older), sharing({ a: { x: [1], z: 1, y: 1 } }, older)];
    expect([fewer, more]).toEqual([{ a: { x: [1] } }, { a: { x: [1], z: 1, y: 1 } }]);
    expect([fewer.a.x, more.a.x].every((list) => list === older.a.x)).toBe(true);
  });

  test("a change far down costs no more than one at the top", () => {
    const nested = (last: number) => {
      let value: unknown = [Array.from({ length: 500_000 }, (_, index) => index), last];
      for (let level = 0; level < 900; level++) value = [value];
      return value;
    };
    expect(sharing(nested(1), nested(2))).toEqual(nested(1));
  });

  test("a key called __proto__ is data", () => {
    const [value, older]: unknown[] = [
      JSON.parse('{"__proto__":{"a":[1]},"x":1}'),
      JSON.parse('{"__proto__":{"a":[1]},"x":2}'),
    ];
    const next = sharing(value, older);
    expect(JSON.stringify(next)).toBe('{"__proto__":{"a":[1]},"x":1}');
    expect(Object.getPrototypeOf(next)).toBe(Object.prototype);
  });

  test("what an older value inherits is not taken from it", () => {
    const value: unknown = JSON.parse('{"a":{"x":1},"__proto__":{},"constructor":1}');
    const next = sharing(value, { a: { x: 1 }, b: 1, c: 2 });
    expect(JSON.stringify(next)).toBe('{"a":{"x":1},"__proto__":{},"constructor":1}');
  });

  test("a member that is undefined equals none that is missing", () => {
    expect(sharing<unknown>({ a: undefined }, { b: 1 })).toStrictEqual({ a: undefined });
  });

  test("the result equals the value, and neither of the two is changed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, older) => {
        expect(sharing(deepFreeze(value), deepFreeze(older))).toEqual(value);
      }),
    );
  });
});
