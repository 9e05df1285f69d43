import { expect, test } from "vitest";
import { isParentPath, isSamePath, pathsOverlap, pathText } from "./contract-path.ts";

test.each([
  { a: ["foo"], b: ["foo"], same: true, parent: false, overlap: true },
  { a: ["foo"], b: ["foo", "bar"], same: false, parent: true, overlap: true },
  { a: ["foo", "bar"], b: ["foo"], same: false, parent: false, overlap: true },
  { a: ["foo", "bar"], b: ["foo", "baz"], same: false, parent: false, overlap: false },
  { a: [], b: ["foo"], same: false, parent: true, overlap: true },
  { a: [], b: [], same: true, parent: false, overlap: true },
])("$a against $b", ({ a, b, same, parent, overlap }) => {
  expect([isSamePath(a, b), isParentPath(a, b), pathsOverlap(a, b)]).toEqual([same, parent, overlap]);
});

test("a path is printed with dots", () => {
  expect(pathText(["spec", "providerID"])).toBe("spec.providerID");
});
