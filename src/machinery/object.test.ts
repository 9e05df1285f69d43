import { expect, test } from "vitest";
import { asJson, describeKey, fieldAt, keyOf, type KubeObject, namespacedName } from "./object.ts";

test("keys of objects, in the two ways messages write them", () => {
  const [inside, outside] = [{ namespace: "ns", name: "n" }, { name: "n" }];
  expect([inside, outside].map(describeKey)).toEqual(["ns/n", "n"]);
  expect([inside, outside].map(namespacedName)).toEqual(["ns/n", "/n"]);
  expect(keyOf({ metadata: { namespace: "ns", name: "n" } })).toEqual(inside);
  expect(keyOf({ metadata: { namespace: "", name: "n" } })).toEqual(outside);
  expect(keyOf({ metadata: {} })).toEqual({ name: "" });
});

test("fields are read along a path, and never from a prototype", () => {
  const object = { spec: { a: { b: null }, list: [1] } };
  expect(fieldAt(object, "spec", "a", "b")).toBeNull();
  expect(fieldAt(object)).toBe(object);
  expect([
    fieldAt(object, "spec", "x", "y"),
    fieldAt(object, "spec", "list", "0"),
    fieldAt(object, "constructor"),
    fieldAt(null, "a"),
    fieldAt("text", "length"),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("an object is its own JSON", () => {
  const object: KubeObject = { apiVersion: "v1", kind: "A", metadata: {} };
  expect(asJson(object)).toBe(object);
});
