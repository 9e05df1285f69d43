import fc from "fast-check";
import { deepClone, deepFreeze } from "#machinery";
import { describe, expect, test } from "vitest";
import { nextVersion } from "./next-version.ts";
import { StringPool } from "./string-pool.ts";

const older = deepFreeze({
  spec: { sizes: [1, 2], owner: { name: "somebody or other" } },
  status: { phase: "Running", conditions: [{ type: "Ready" }, { type: "Paused" }] },
});
const next = <T>(value: T, before: object = older) => nextVersion(value, before, new StringPool());

/** True where nothing inside can be changed. */
function isFrozenThroughout(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout);
}

describe.each([
  { how: "in place", given: <T>(value: T) => deepClone(value) },
  { how: "of what belongs to others", given: <T>(value: T) => deepFreeze(deepClone(value)) },
])("made $how", ({ given }) => {
  test("an equal version is the older one", () => {
    expect(next(given(older))).toBe(older);
  });

  test("only the way to a change is new", () => {
    const now = { ...older, status: { ...older.status, conditions: [{ type: "Ready" }, { type: "Late" }] } };
    const result = next(given(now));
    expect(result).toEqual(now);
    expect(result.spec).toBe(older.spec);
    expect(result.status.conditions[0]).toBe(older.status.conditions[0]);
    expect(isFrozenThroughout(result)).toBe(true);
  });

  test("a member more or less is a change", () => {
    const { spec, status } = older;
    for (const now of [{ spec }, { spec, status, more: {} }, { spec, status: {} }, { spec, status: undefined }])
      expect(next<object>(given(now))).toStrictEqual(now);
  });

  test("a key called __proto__ is data, and what is inherited is none", () => {
    const text = '{"__proto__":{"a":[1]},"constructor":{},"x":1}';
    for (const before of [older, JSON.parse('{"__proto__":{"a":[1]},"x":2}')]) {
      const result: object = next(given(JSON.parse(text)), deepFreeze(before));
      expect(JSON.stringify(result)).toBe(text);
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    }
  });

  test("whatever came before, a version says what it said", () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), fc.object({ maxDepth: 3 }), (value, before) => {
        const [now, then] = [JSON.parse(JSON.stringify(value)), deepFreeze(JSON.parse(JSON.stringify(before)))];
        const result = next(given(now), then);
        expect(JSON.stringify(result)).toBe(JSON.stringify(now));
        expect(isFrozenThroughout(result)).toBe(true);
        expect(next(given(now), result)).toBe(result);
      }),
    );
  });
});

test("what is nested too deep to be walked is refused", () => {
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  expect(() => next(nested(1000))).not.toThrow();
  expect(() => next(nested(5000))).toThrow("exceeded max depth");
});
