import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "./json.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { jsonPatchBetween } from "./json-patch-between.ts";

const cases: readonly { readonly name: string; readonly before: Json; readonly after: Json; readonly patch: Json }[] = [
  { name: "nothing has changed", before: { a: [1, { b: null }] }, after: { a: [1, { b: null }] }, patch: [] },
  {
    name: "a member is added, replaced and removed",
    before: { spec: { version: "1.34.1", paused: true } },
    after: { spec: { version: "v1.34.1", replicas: 1 } },
    patch: [
      { op: "remove", path: "/spec/paused" },
      { op: "replace", path: "/spec/version", value: "v1.34.1" },
      { op: "add", path: "/spec/replicas", value: 1 },
    ],
  },
  {
    name: "keys have slashes and tildes",
    before: { labels: {} },
    after: { labels: { "cluster.x-k8s.io/cluster-name": "c1", "a~b": "" } },
    patch: [
      { op: "add", path: "/labels/cluster.x-k8s.io~1cluster-name", value: "c1" },
      { op: "add", path: "/labels/a~0b", value: "" },
    ],
  },
  {
    name: "an item of a list changes inside",
    before: [{ name: "a", on: true }, 2],
    after: [{ name: "a", on: false }, 2],
    patch: [{ op: "replace", path: "/0/on", value: false }],
  },
  {
    name: "a list grows",
    before: { list: [1, 2] },
    after: { list: [0, 1, 2] },
    patch: [{ op: "replace", path: "/list", value: [0, 1, 2] }],
  },
  {
    name: "null is a value",
    before: { a: 1 },
    after: { a: null },
    patch: [{ op: "replace", path: "/a", value: null }],
  },
  { name: "everything is something else", before: {}, after: 7, patch: [{ op: "replace", path: "", value: 7 }] },
];

test.each(cases)("$name", ({ before, after, patch }) => {
  expect(jsonPatchBetween(before, after)).toEqual(patch);
});

test("a patch between two values turns the one into the other", () => {
  // JSON as it comes over the wire, which never holds a negative zero of JavaScript's.
  const value = fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one)) as Json);
  fc.assert(
    fc.property(value, value, (before, after) => {
      const patch = JSON.parse(JSON.stringify(jsonPatchBetween(before, after))) as Json;
      expect(applyJsonPatch(before, patch)).toEqual(after);
    }),
  );
});
