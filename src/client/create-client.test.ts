import {
  defineKind,
  expired,
  type KubeList,
  type KubeObject,
  type ListOptions,
  notFound,
  type ObjectMeta,
  type ObjectOf,
  s,
  type Transport,
} from "#machinery";
import { expect, expectTypeOf, test } from "vitest";
import { createClient } from "./create-client.ts";
import { MissingFieldOwnerError, UnexpectedKindError } from "./errors.ts";
import type { ServedKind } from "./served-kind.ts";

interface Widget extends KubeObject {
  readonly apiVersion: "example.com/v1";
  readonly kind: "Widget";
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly size: number };
}

const Widget: ServedKind<Widget> = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  resource: { group: "example.com", version: "v1", resource: "widgets" },
  namespaced: true,
  is: (object): object is Widget => object.apiVersion === "example.com/v1" && object.kind === "Widget",
};
const widgetByName = { group: "example.com", version: "v1", kind: "Widget" };
const node = { group: "", version: "v1", kind: "Node" };
const key = { namespace: "n", name: "a" };
const a: Widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: key, spec: { size: 1 } };

/** A transport that writes down what it is asked and answers with one object. */
function recording(answer: KubeObject = a) {
  const asked: unknown[][] = [];
  const record =
    (verb: string) =>
    (...parameters: unknown[]) => {
      asked.push([verb, ...parameters.filter((parameter) => parameter !== undefined)]);
      return Promise.resolve(answer);
    };
  const list = (resource: unknown, options: ListOptions = {}): Promise<KubeList> => {
    asked.push(["list", resource, options]);
    return Promise.resolve({ apiVersion: "example.com/v1", kind: "WidgetList", metadata: {}, items: [answer] });
  };
  const names = { singular: "", verbs: [], shortNames: [], categories: [], subresources: [], preferred: true };
  const transport: Transport = {
    get: record("get"),
    list,
    async *watch() {
      yield await Promise.resolve({ kind: "added", object: answer } as const);
      yield { kind: "bookmark", resourceVersion: "1", initialEventsEnd: true };
    },
    create: record("create"),
    update: record("update"),
    patch: record("patch"),
    apply: record("apply"),
    delete: record("delete"),
    deleteCollection: (resource, options = {}) => {
      asked.push(["deleteCollection", resource, options]);
      return list(resource);
    },
    discover: () => {
      asked.push(["discover"]);
      return Promise.resolve([
        { ...widgetByName, resource: "widgets", namespaced: true, ...names },
        { ...node, resource: "nodes", namespaced: false, ...names },
      ]);
    },
  };
  return { transport, asked };
}

test("a declared kind types what comes back, and nobody is asked for its resource", async () => {
  const { transport, asked } = recording();
  const found = await createClient(transport).get(Widget, key);
  expectTypeOf(found).toEqualTypeOf<Widget>();
  expect(found.spec?.size).toBe(1);
  expect(asked).toEqual([["get", Widget.resource, key]]);
});

test("a kind that was declared is one that can be asked for", async () => {
  const Boat = defineKind({
    group: "sea.example.com",
    version: "v1",
    kind: "Boat",
    plural: "boats",
    description: "A boat.",
    fields: { spec: s.object({ crew: s.integer().optional() }).optional() },
  });
  const boat = { apiVersion: "sea.example.com/v1", kind: "Boat", metadata: key, spec: { crew: 2 } } as const;
  const { transport, asked } = recording(boat);
  const found = await createClient(transport).get(Boat, key);
  expectTypeOf(found).toEqualTypeOf<ObjectOf<typeof Boat>>();
  expect(found.spec?.crew).toBe(2);
  expect(asked).toEqual([["get", { group: "sea.example.com", version: "v1", resource: "boats" }, key]]);
});

test("a kind by its names is looked up on the server", async () => {
  const { transport, asked } = recording();
  const found = await createClient(transport).get(widgetByName, key);
  expectTypeOf(found).toEqualTypeOf<KubeObject>();
  expect(asked).toEqual([["discover"], ["get", Widget.resource, key]]);
});

test("an object of another kind is not passed on under a false type", async () => {
  const { transport } = recording({ apiVersion: "v1", kind: "Node", metadata: { name: "x" } });
  await expect(createClient(transport).get(Widget, key)).rejects.toBeInstanceOf(UnexpectedKindError);
});

test("a key fits the scope of its kind", async () => {
  const { transport, asked } = recording();
  const client = createClient(transport);
  await client.get(node, { namespace: "n", name: "x" });
  expect(asked.at(-1)).toEqual(["get", { group: "", version: "v1", resource: "nodes" }, { name: "x" }]);
  await expect(client.get(Widget, { name: "a" })).rejects.toThrow(
    "an empty namespace may not be set when a resource name is provided",
  );
  await expect(client.get(Widget, { namespace: "n", name: "" })).rejects.toThrow("resource name may not be empty");
});

test("the field owner writes, unless a call names another", async () => {
  const { transport, asked } = recording();
  const client = createClient(transport, { fieldOwner: "me" });
  await client.create(Widget, a);
  await client.patchStatus(Widget, key, { kind: "merge", patch: {} }, { fieldManager: "you" });
  await client.apply(Widget, a, { force: true });
  await client.withFieldOwner("them").applyStatus(Widget, a);
  await client.setReplicas(Widget, key, 3);
  expect(asked.map((call) => call.at(-1))).toEqual([
    { fieldManager: "me" },
    { fieldManager: "you", subresource: "status" },
    { fieldManager: "me", force: true },
    { fieldManager: "them", subresource: "status" },
    { fieldManager: "me", subresource: "scale" },
  ]);
  await expect(createClient(transport).apply(Widget, a)).rejects.toBeInstanceOf(MissingFieldOwnerError);
});

test("what is not there is found as undefined", async () => {
  const { transport } = recording();
  const empty = { ...transport, get: () => Promise.reject(notFound(Widget.resource, "a")) };
  expect(await createClient(empty).find(Widget, key)).toBeUndefined();
});

/** A collection of names in pages of two, whose history may be cut off after some pages. */
function paged(names: readonly string[], expireAfter = Infinity) {
  const asked: ListOptions[] = [];
  const { transport } = recording();
  const list = (_: unknown, options: ListOptions = {}): Promise<KubeList> => {
    asked.push(options);
    const start = Number(options.continue ?? 0);
    if (asked.length > expireAfter && options.continue !== undefined) return Promise.reject(expired("too old"));
    const end = start + (options.limit ?? Infinity);
    return Promise.resolve({
      apiVersion: "example.com/v1",
      kind: "WidgetList",
      metadata: { resourceVersion: "9", ...(end < names.length ? { continue: String(end) } : {}) },
      items: names.slice(start, end).map((name) => ({ ...a, metadata: { name } })),
    });
  };
  return { client: createClient({ ...transport, list }), asked };
}

const namesIn = (list: KubeList<Widget>) => list.items.map(({ metadata }) => metadata.name);

test("pages follow each other, and only the first names a revision", async () => {
  const { client, asked } = paged(["a", "b", "c", "d", "e"]);
  const pages: unknown[] = [];
  for await (const page of client.pages(Widget, { limit: 2, resourceVersion: "9", labelSelector: "x" }))
    pages.push(namesIn(page));
  expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  expect(asked).toEqual([
    { limit: 2, resourceVersion: "9", labelSelector: "x" },
    { limit: 2, continue: "2", labelSelector: "x" },
    { limit: 2, continue: "4", labelSelector: "x" },
  ]);
});

test("everything at once is put together from pages, or fetched whole when history runs out", async () => {
  const { client } = paged(["a", "b", "c"]);
  const all = await client.listAll(Widget, { limit: 2 });
  expect(namesIn(all)).toEqual(["a", "b", "c"]);
  expect(all.metadata).toEqual({ resourceVersion: "9" });
  const cut = paged(["a", "b", "c"], 1);
  expect(namesIn(await cut.client.listAll(Widget, { limit: 2 }))).toEqual(["a", "b", "c"]);
  expect(cut.asked).toEqual([{ limit: 2 }, { limit: 2, continue: "2" }, {}]);
});

test("a watch of a kind begins with typed objects", async () => {
  const { transport } = recording();
  for await (const event of createClient(transport).watch(Widget, { namespace: "n" })) {
    expect(event).toEqual({ kind: "listed", objects: [a] });
    if (event.kind === "changed") expectTypeOf(event.object).toEqualTypeOf<Widget>();
    break;
  }
});
