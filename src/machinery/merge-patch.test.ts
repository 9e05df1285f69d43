import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "./clone.ts";
import { type Json, type JsonObject, JsonTooDeepError } from "./json.ts";
import { applyMergePatch, mergePatchBetween } from "./merge-patch.ts";

const appendix: readonly [target: Json, patch: Json, result: Json][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

test.each(appendix)("%j patched with %j is %j, as the appendix of the RFC has it", (target, patch, result) => {
  expect(applyMergePatch(deepFreeze(target), deepFreeze(patch))).toEqual(result);
});

describe("sharing", () => {
  const target = deepFreeze({ a: { b: 1 }, c: { d: { e: [1] } }, f: 1 });

  test("a patch that changes nothing hands the target back", () => {
    expect(applyMergePatch(target, { a: { b: 1, x: null }, f: 1, y: null })).toBe(target);
  });

  test("what the patch does not name is shared", () => {
    const result = applyMergePatch(target, { a: { b: 2 } }) as typeof target;
    expect(result).toEqual({ ...target, a: { b: 2 } });
    expect(result.c).toBe(target.c);
  });

  test("__proto__ is a key like any other", () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":null,"constructor":{"x":1}}}') as Json;
    const result = applyMergePatch({ a: {} }, patch);
    expect(JSON.stringify(result)).toBe('{"a":{"constructor":{"x":1}},"__proto__":{"polluted":1}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

test("kube-apiserver drops nulls from objects inside lists, the RFC does not", () => {
  const patch: Json = { l: [null, { a: null, b: [{ c: null, d: 1 }] }] };
  expect(applyMergePatch({}, patch)).toEqual(patch);
  expect(applyMergePatch({}, patch, { dialect: "kubernetes" })).toEqual({ l: [null, { b: [{ d: 1 }] }] });
});

test("a patch nested too deeply is refused, not an overflow", () => {
  let patch: Json = 1;
  for (let level = 0; level < 100_000; level++) patch = { a: patch };
  expect(() => applyMergePatch({}, patch)).toThrow(JsonTooDeepError);
  expect(() => mergePatchBetween({ a: 1 }, patch as unknown as JsonObject)).not.toThrow();
});

describe("mergePatchBetween", () => {
  const cases: Record<string, [before: JsonObject, after: JsonObject, patch: JsonObject]> = {
    "equal objects": [{ a: { b: [1] } }, { a: { b: [1] } }, {}],
    "a member that goes": [{ a: 1, b: 2 }, { b: 2 }, { a: null }],
    "a member that comes": [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    "a change inside": [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    "a list changes as a whole": [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
    "an object that becomes a scalar": [{ a: { b: 1 } }, { a: "x" }, { a: "x" }],
    "a key that objects inherit": [{}, { constructor: 1 }, { constructor: 1 }],
  };
  test.each(Object.entries(cases))("%s", (_, [before, after, patch]) => {
    expect(mergePatchBetween(deepFreeze(before), deepFreeze(after))).toEqual(patch);
  });

  test("applied to the one it gives the other", () => {
    const withoutNull = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
      value: fc.oneof({ depthSize: "small" }, fc.integer(), fc.string(), fc.array(fc.integer()), tie("object")),
      object: fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value")) as fc.Arbitrary<JsonObject>,
    })).object;
    fc.assert(
      fc.property(withoutNull, withoutNull, (before, after) => {
        const patch = mergePatchBetween(before, after);
        expect(JSON.stringify(sorted(applyMergePatch(before, patch)))).toBe(JSON.stringify(sorted(after)));
      }),
    );
  });
});

function sorted(value: Json): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inside]) => [key, sorted(inside)]);
}

test("kube-apiserver keeps nulls in a list that takes the place of an object", () => {
  const patch: Json = { l: [{ a: null }] };
  expect(applyMergePatch({ l: { b: 1 } }, patch, { dialect: "kubernetes" })).toEqual(patch);
  expect(applyMergePatch({ l: [1] }, patch, { dialect: "kubernetes" })).toEqual({ l: [{}] });
});
