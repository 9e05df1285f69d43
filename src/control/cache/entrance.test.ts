import { expect, test } from "vitest";
import { deepFreeze, type KubeObject } from "#machinery";
import { entranceOf } from "./entrance.ts";
import type { ServedKind } from "#client";

const Widget: ServedKind = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  resource: { group: "example.com", version: "v1", resource: "widgets" },
  namespaced: true,
  is: (object): object is KubeObject => object.apiVersion === "example.com/v1" && object.kind === "Widget",
};

function widget(name: string, rest: object = {}, metadata: object = {}): KubeObject {
  const managedFields = [{ manager: "somebody" }];
  const whole = { name, labels: { color: "red" }, managedFields, ...metadata };
  return deepFreeze({ apiVersion: "example.com/v1", kind: "Widget", metadata: whole, ...rest });
}

test("nobody keeps who manages which field", () => {
  const entered = entranceOf(Widget, {})(widget("a", { spec: { size: 1 } }), undefined);
  const metadata = { name: "a", labels: { color: "red" } };
  expect(entered).toEqual({ apiVersion: "example.com/v1", kind: "Widget", metadata, spec: { size: 1 } });
  expect(() => Object.assign(entered?.metadata ?? {}, { name: "another" })).toThrow(TypeError);
});

test("parts that did not change are the same as before", () => {
  const enter = entranceOf(Widget, {});
  const before = enter(widget("a", { spec: { size: 1 }, status: { ready: true } }), undefined);
  const after = enter(widget("a", { spec: { size: 2 }, status: { ready: true } }), before);
  expect(after?.["spec"]).toEqual({ size: 2 });
  expect(after?.["status"]).toBe(before?.["status"]);
  expect(after?.metadata).toBe(before?.metadata);
});

test("equal labels of different objects are one", () => {
  const enter = entranceOf(Widget, {});
  const [a, b] = [enter(widget("a"), undefined), enter(widget("b"), undefined)];
  expect(a?.metadata.labels).toBe(b?.metadata.labels);
});

test("metadata can be all that is kept, even where it comes under a kind of its own", () => {
  const enter = entranceOf(Widget, { metadataOnly: true });
  const metadata = { name: "a", labels: { color: "red" } };
  const kept = { apiVersion: "example.com/v1", kind: "Widget", metadata };
  expect(enter(widget("a", { spec: {} }), undefined)).toEqual(kept);
  expect(enter({ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata }, undefined)).toEqual(kept);
});

test("what nobody reads is dropped as the kind says", () => {
  const enter = entranceOf(Widget, { keep: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) });
  expect(enter(widget("a", { data: "long" }), undefined)).not.toHaveProperty("data");
});

test("an object of another kind does not enter", () => {
  expect(
    entranceOf(Widget, {})({ apiVersion: "v1", kind: "Node", metadata: { name: "a" } }, undefined),
  ).toBeUndefined();
});
