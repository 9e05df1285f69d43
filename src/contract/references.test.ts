import { expect, test } from "vitest";
import { contractReferenceTo, groupKindOf, isDefined, referencedKind, referenceTo } from "./references.ts";

test.each([
  [undefined, false],
  [{}, false],
  [{ apiGroup: "", kind: "", name: "" }, false],
  [{ name: "a" }, true],
  [{ kind: "a" }, true],
  [{ apiGroup: "a" }, true],
])("a reference %j is defined: %j", (ref, defined) => {
  expect(isDefined(ref)).toBe(defined);
});

test("an object is referred to with and without its version", () => {
  const object = { apiVersion: "a.io/v1", kind: "Foo", metadata: { name: "x", namespace: "ns" } };
  expect(referenceTo(object)).toEqual({ apiVersion: "a.io/v1", kind: "Foo", name: "x", namespace: "ns" });
  expect(contractReferenceTo(object)).toEqual({ apiGroup: "a.io", kind: "Foo", name: "x" });
});

test("an object of the core group has an empty group", () => {
  const object = { apiVersion: "v1", kind: "Foo", metadata: { name: "x" } };
  expect(referenceTo(object)).toEqual({ apiVersion: "v1", kind: "Foo", name: "x", namespace: "" });
  expect(contractReferenceTo(object)).toEqual({ apiGroup: "", kind: "Foo", name: "x" });
});

test("a reference names a kind even if its apiVersion cannot be read", () => {
  expect(referencedKind({ apiVersion: "a/b/c", kind: "Foo" })).toEqual({ group: "", version: "", kind: "Foo" });
  expect(groupKindOf({ name: "x" })).toEqual({ group: "", kind: "" });
});
