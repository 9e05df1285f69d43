import { expect, test } from "vitest";
import { ContextError, describeError } from "#base";
import { isAlreadyExists, isNotFound, type KubeObject } from "#machinery";
import { createFromTemplate } from "./create-from-template.ts";
import { failureOf, testStore } from "./test-store.ts";

const template: KubeObject = {
  apiVersion: "infra.example.com/v1",
  kind: "FooTemplate",
  metadata: { name: "small", namespace: "templates" },
  spec: { template: { spec: { size: 1 } } },
};
const templateRef = { apiVersion: "infra.example.com/v1", kind: "FooTemplate", namespace: "templates", name: "small" };
const input = { templateRef, namespace: "ns", name: "clone", clusterName: "c1" };
const options = { random: () => 0 };

test("an object is created from a template in another namespace, and referred to", async () => {
  const store = testStore([template]);
  const { object, ref } = await createFromTemplate(store, input, options);
  expect(store.objects).toEqual([template, object]);
  expect(object).toMatchObject({ kind: "Foo", metadata: { name: "clone", namespace: "ns" }, spec: { size: 1 } });
  expect(ref).toEqual({ apiGroup: "infra.example.com", kind: "Foo", name: "clone" });
});

test("without a name one is generated", async () => {
  const { name: _, ...unnamed } = input;
  const { ref } = await createFromTemplate(testStore([template]), unnamed, options);
  expect(ref.name).toBe("small-bbbbb");
});

test("a missing template is an error, and nothing is created", async () => {
  const store = testStore();
  const error = await failureOf(createFromTemplate(store, input, options));
  expect(describeError(error)).toBe(
    'failed to retrieve FooTemplate templates/small: footemplates.infra.example.com "small" not found',
  );
  expect(isNotFound(error)).toBe(true);
  expect(store.objects).toEqual([]);
});

test("without a reference to a template nothing is created", async () => {
  const store = testStore([template]);
  const error = await failureOf(createFromTemplate(store, { ...input, templateRef: undefined }, options));
  expect(describeError(error)).toBe("cannot get object - object reference not set");
  expect(store.calls).toEqual([]);
});

test("a refused create is handed on as it is", async () => {
  const refusal = new ContextError("boom");
  expect(await failureOf(createFromTemplate(testStore([template], { create: refusal }), input, options))).toBe(refusal);
});

test("a name that is taken is recognised as such", async () => {
  const store = testStore([template]);
  await createFromTemplate(store, input, options);
  expect(isAlreadyExists(await failureOf(createFromTemplate(store, input, options)))).toBe(true);
});

test("after a create whose answer got lost nothing is deleted", async () => {
  const store = testStore([template], { create: new ContextError("the answer got lost") });
  await failureOf(createFromTemplate(store, input, options));
  expect(store.calls).toEqual(["get FooTemplate templates/small", "create Foo ns/clone"]);
});
