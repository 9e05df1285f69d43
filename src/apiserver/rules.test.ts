import { expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer } from "./test-server.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const gadgets = { group: "example.com", version: "v1", resource: "gadgets" };

test("a rule about a change is asked although nothing but a label changes", async () => {
  const subject = await openTestServer(openMemoryStore());
  const transport = subject.server.transport();
  const rules = [{ rule: "self.locked == false || oldSelf.locked == false", message: "a locked one stays as it is" }];
  const spec = { type: "object", properties: { locked: { type: "boolean" } }, "x-kubernetes-validations": rules };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  await transport.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await subject.server.settle();
  const gadget: KubeObject = {
    apiVersion: "example.com/v1",
    kind: "Gadget",
    metadata: { name: "a", namespace: "default" },
    spec: { locked: true },
  };
  await transport.create(gadgets, gadget);
  const labelled = transport.patch(
    gadgets,
    { namespace: "default", name: "a" },
    { kind: "merge", patch: { metadata: { labels: { a: "b" } } } },
  );
  await expect(labelled).rejects.toThrow("a locked one stays as it is");
  await subject.close();
});

test("what a caller keeps inside of a frozen object cannot change what is stored, nor get past the schema", async () => {
  const subject = await openTestServer(openMemoryStore());
  const transport = subject.server.transport();
  const items = { type: "array", items: { type: "integer" } };
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties: { items } } } };
  await transport.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await subject.server.settle();
  const list: unknown[] = [1];
  const spec = Object.freeze({ items: list });
  const stored = await transport.create(gadgets, {
    apiVersion: "example.com/v1",
    kind: "Gadget",
    metadata: { name: "a", namespace: "default" },
    spec,
  });
  expect(() => list.push("not a number")).toThrow(TypeError);
  expect(stored["spec"]).toEqual({ items: [1] });
  const wrong = Object.freeze({ items: [1, "two"] });
  await expect(transport.update(gadgets, { ...stored, spec: wrong })).rejects.toThrow("must be of type integer");
  await subject.close();
});
