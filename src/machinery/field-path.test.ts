import { expect, test } from "vitest";
import { FieldPath } from "./field-path.ts";

test.each([
  [FieldPath.root, ""],
  [FieldPath.of("spec"), "spec"],
  [FieldPath.of("spec", "a").child("b", "c"), "spec.a.b.c"],
  [FieldPath.of("spec").index(0).index(1).child("x"), "spec[0][1].x"],
  [FieldPath.of("labels").key("a/b"), "labels[a/b]"],
  [FieldPath.of("labels").key(""), "labels[]"],
  [FieldPath.root.key("a"), "[a]"],
])("%s", (path, text) => {
  expect(path.toString()).toBe(text);
});

test("a path that goes on leaves the one it came from as it was", () => {
  const spec = FieldPath.of("spec");
  spec.child("a");
  expect([spec.toString(), spec.isRoot, FieldPath.root.isRoot]).toEqual(["spec", false, true]);
});
