import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describePath, FieldSet, type Path } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";

const element = fc.constantFrom("f:a", "f:b", "f:c", 'k:{"n":"x"}', 'k:{"n":"y"}', 'v:"1"', "v:2", "i:0");
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set = fc.array(path, { maxLength: 12 }).map((paths) => FieldSet.of(...paths));

function texts(fields: FieldSet): string[] {
  return [...fields.paths()].map(describePath);
}

describe("the algebra of sets", () => {
  const a = FieldSet.of(["f:a"], ["f:a", "f:b"], ["f:c", "f:d"]);
  const b = FieldSet.of(["f:a"], ["f:c", "f:e"]);

  test("a union has the fields of both", () => {
    expect(texts(a.union(b))).toEqual([".a", ".a.b", ".c.d", ".c.e"]);
  });
  test("a difference leaves out fields, not what is below them", () => {
    expect(texts(a.difference(b))).toEqual([".a.b", ".c.d"]);
  });
  test("a difference from above leaves out what is below as well", () => {
    expect(texts(a.differenceBelow(b))).toEqual([".c.d"]);
  });
  test("an intersection has what both have", () => {
    expect(texts(a.intersection(b))).toEqual([".a"]);
  });
  test("leaves have nothing below them", () => {
    expect(texts(a.leaves())).toEqual([".a.b", ".c.d"]);
  });
  test("a path is in a set only if it is named itself", () => {
    expect([a.has(["f:a"]), a.has(["f:c"]), a.has(["f:c", "f:d"]), a.has([])]).toEqual([true, false, true, false]);
  });
  test("fields of a node come before what is below them", () => {
    const nested = FieldSet.of(["f:b", "f:x"], ["f:c"], ["f:a"], ["f:a", "f:z"]);
    expect(texts(nested)).toEqual([".a", ".c", ".a.z", ".b.x"]);
  });
});

describe("any sets", () => {
  test("have the paths that were put in", () => {
    fc.assert(
      fc.property(fc.array(path), (paths: readonly Path[]) => {
        const made = FieldSet.of(...paths);
        expect(new Set(texts(made))).toEqual(new Set(paths.map(describePath)));
        expect(paths.every((one) => made.has(one))).toBe(true);
      }),
    );
  });

  test("are the parts of their differences and intersections", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
        expect(a.intersection(b).equals(b.intersection(a))).toBe(true);
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
        expect(a.intersection(b).isWithin(a)).toBe(true);
        expect(a.isWithin(b)).toBe(a.difference(b).isEmpty);
      }),
    );
  });

  test("are given back themselves where nothing changes", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const all = a.union(b);
        expect(all.union(b)).toBe(all);
        expect(a.difference(b.difference(a))).toBe(a);
      }),
    );
  });

  test("survive the way through fieldsV1", () => {
    fc.assert(
      fc.property(set, (fields) => {
        const encoded = JSON.stringify(fields.fields);
        const decoded = decodeFields(JSON.parse(encoded));
        expect(decoded.equals(fields)).toBe(true);
        expect(JSON.stringify(decoded.fields)).toBe(encoded);
      }),
    );
  });
});
