import { expect, test } from "vitest";
import { isNotFound, type KubeObject } from "#machinery";
import { dumpReader } from "./dump-reader.ts";
import type { Index } from "./reader.ts";

const pods = { group: "", version: "v1", kind: "Pod" };
const nodes = { group: "", version: "v1", kind: "Node" };

function pod(name: string, node: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "n", name, labels: { node } },
    spec: { nodeName: node },
  };
}

const reader = dumpReader([
  pod("a", "one"),
  pod("b", "two"),
  { apiVersion: "v1", kind: "Node", metadata: { name: "one" } },
]);
const byNode: Index = { name: "node", valuesOf: ({ metadata }) => [metadata.labels?.["node"] ?? ""] };
const names = (objects: readonly KubeObject[]): readonly unknown[] => objects.map(({ metadata }) => metadata.name);

test("a dump is read by kind and key", async () => {
  expect((await reader.get(pods, { namespace: "n", name: "a" })).metadata.name).toBe("a");
  expect((await reader.get(nodes, { name: "one" })).kind).toBe("Node");
  expect(await reader.find(pods, { namespace: "n", name: "c" })).toBeUndefined();
  const refusal: unknown = await reader.get(pods, { namespace: "n", name: "c" }).catch((error: unknown) => error);
  expect(isNotFound(refusal)).toBe(true);
});

test("a dump is listed by selectors and indexes", async () => {
  expect(names(await reader.list(pods))).toEqual(["a", "b"]);
  expect(names(await reader.list(pods, { labelSelector: "node=two" }))).toEqual(["b"]);
  expect(names(await reader.list(pods, { fieldSelector: "spec.nodeName=one" }))).toEqual(["a"]);
  expect(names(await reader.list(pods, { indexed: { by: byNode, value: "two" } }))).toEqual(["b"]);
  expect(await reader.list({ group: "", version: "v1", kind: "Secret" })).toEqual([]);
});
