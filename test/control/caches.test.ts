import { describe, expect, test } from "vitest";
import { minutes, seconds } from "#base";
import type { ServedKind } from "#client";
import type { CacheChange } from "#control";
import type { KubeObject } from "#machinery";
import { type EmbeddedCaches, openEmbeddedCaches } from "./embedded-caches.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };

const Gizmo: ServedKind = {
  group: "example.com",
  version: "v1",
  kind: "Gizmo",
  resource: { group: "example.com", version: "v1", resource: "gizmos" },
  namespaced: true,
  is: (object): object is KubeObject => object.apiVersion === "example.com/v1" && object.kind === "Gizmo",
};

const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gizmos.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "gizmos", singular: "gizmo", kind: "Gizmo", listKind: "GizmoList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

function configMap(namespace: string, name: string, labels: { readonly [key: string]: string } = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, labels }, data: { size: "1" } };
}

function gizmo(name: string): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Gizmo", metadata: { namespace: "default", name } };
}

const namesOf = (objects: readonly KubeObject[]): readonly unknown[] => objects.map(({ metadata }) => metadata.name);
const forEver = new AbortController().signal;

function brief(change: CacheChange): string {
  const isAgain = change.kind === "changed" && change.resync ? " again" : "";
  const isInitial = change.kind === "added" && change.initial ? " initially" : "";
  return `${change.kind} ${change.object.metadata.name}${isAgain}${isInitial}`;
}

async function serve({ server, other }: EmbeddedCaches): Promise<void> {
  await other.create(definitions, definition);
  await server.settle();
}

describe("a kind that is not served", () => {
  test("has no objects until it is, and then has them", async () => {
    await using world = await openEmbeddedCaches();
    const { caches, clock, other } = world;
    const cache = await caches.of(Gizmo);
    expect(cache.isSynced).toBe(false);
    await clock.advance(seconds(5));
    await cache.synced();
    expect(cache.list()).toEqual([]);
    const told: string[] = [];
    cache.subscribe((change) => told.push(brief(change)), { signal: forEver });
    await serve(world);
    await other.create(Gizmo, gizmo("a"));
    await clock.advance(minutes(1));
    expect(namesOf(cache.list())).toEqual(["a"]);
    expect(told).toEqual(["added a initially"]);
  });

  test("any more takes its objects along, and brings others when it is back", async () => {
    await using world = await openEmbeddedCaches();
    const { caches, clock, other, server } = world;
    await serve(world);
    await other.create(Gizmo, gizmo("a"));
    const cache = await caches.of(Gizmo);
    const told: string[] = [];
    cache.subscribe((change) => told.push(brief(change)), { signal: forEver });
    await cache.synced();
    await other.delete(definitions, { name: "gizmos.example.com" });
    await server.settle();
    await clock.advance(minutes(1));
    expect(cache.list()).toEqual([]);
    await serve(world);
    await other.create(Gizmo, gizmo("b"));
    await clock.advance(minutes(1));
    expect(namesOf(cache.list())).toEqual(["b"]);
    expect(told).toEqual(["added a initially", "deleted a", "added b"]);
  });

  test("need not be waited for when catching up", async () => {
    await using world = await openEmbeddedCaches();
    const { caches, other } = world;
    const cache = await caches.of(Gizmo);
    await caches.caughtUp();
    expect(cache.isSynced).toBe(true);
    await serve(world);
    await other.create(Gizmo, gizmo("a"));
    await caches.caughtUp();
    expect(namesOf(cache.list())).toEqual(["a"]);
  });
});

describe("a cache holds", () => {
  test("objects without those who manage their fields, frozen", async () => {
    await using world = await openEmbeddedCaches();
    await world.other.create(configMaps, configMap("default", "a"));
    const cache = await world.caches.of(configMaps);
    await cache.synced();
    const [a] = cache.list({ namespace: "default" });
    expect(a?.metadata).not.toHaveProperty("managedFields");
    expect(Object.isFrozen(a)).toBe(true);
  });

  test("some namespaces, and refuses to say what is in others", async () => {
    await using world = await openEmbeddedCaches({
      kinds: [{ kind: configMaps, selection: { namespaces: ["default", "kube-public"] } }],
    });
    const { caches, other, client } = world;
    await other.create(configMaps, configMap("default", "a"));
    await other.create(configMaps, configMap("kube-system", "b"));
    const cache = await caches.of(configMaps);
    await cache.synced();
    await client.create(configMaps, configMap("kube-public", "c"));
    await client.create(configMaps, configMap("kube-system", "d"));
    await client.delete(configMaps, { namespace: "kube-system", name: "d" });
    await caches.caughtUp();
    expect(namesOf(cache.list())).toEqual(["a", "c"]);
    expect(() => cache.list({ namespace: "kube-system" })).toThrow("does not hold namespace kube-system");
    expect(() => cache.find({ namespace: "kube-system", name: "b" })).toThrow("does not hold namespace kube-system");
  });

  test("what is selected, which objects enter and leave as their labels say", async () => {
    await using world = await openEmbeddedCaches();
    const { caches, other, client } = world;
    const cache = await caches.of(configMaps, { selection: { labelSelector: "color=red" } });
    await cache.synced();
    const told: string[] = [];
    cache.subscribe((change) => told.push(brief(change)), { signal: forEver });
    await client.create(configMaps, configMap("default", "a", { color: "red" }));
    await client.create(configMaps, configMap("default", "b", { color: "blue" }));
    await other.create(configMaps, configMap("default", "c", { color: "red" }));
    await caches.caughtUp();
    const key = { namespace: "default", name: "a" };
    await client.patch(configMaps, key, { kind: "merge", patch: { metadata: { labels: { color: "blue" } } } });
    expect(namesOf(cache.list())).toEqual(["c"]);
    await caches.caughtUp();
    expect(told).toEqual(["added a", "added c", "deleted a"]);
  });

  test("metadata alone, beside a cache of whole objects", async () => {
    await using world = await openEmbeddedCaches();
    const { caches, client } = world;
    const [whole, bare] = [await caches.of(configMaps), await caches.of(configMaps, { metadataOnly: true })];
    await caches.synced();
    await client.create(configMaps, configMap("default", "a"));
    const key = { namespace: "default", name: "a" };
    expect(whole.find(key)).toHaveProperty("data");
    expect(Object.keys(bare.find(key) ?? {}).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
    expect(caches.running).toHaveLength(2);
  });

  test("what is left of objects by the settings of their kind", async () => {
    const keep = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata });
    await using world = await openEmbeddedCaches({ kinds: [{ kind: configMaps, keep }] });
    await world.client.create(configMaps, configMap("default", "a"));
    expect(await world.reader.get(configMaps, { namespace: "default", name: "a" })).not.toHaveProperty("data");
  });
});

test("all objects are shown again as often as the settings say", async () => {
  await using world = await openEmbeddedCaches({ defaults: { resyncEvery: minutes(10) } });
  const { caches, clock, client } = world;
  const cache = await caches.of(configMaps, { selection: { namespaces: ["default"] } });
  await cache.synced();
  await client.create(configMaps, configMap("default", "a"));
  const told: string[] = [];
  cache.subscribe((change) => told.push(brief(change)), { signal: forEver });
  await clock.advance(minutes(21));
  expect(told).toEqual(["added a initially", "changed a again", "changed a again"]);
});

test("a cache that was stopped says so, and another one is started in its place", async () => {
  await using world = await openEmbeddedCaches();
  const { caches } = world;
  const first = await caches.of(Gizmo);
  const waiting = first.synced();
  await caches.stop(Gizmo);
  await expect(waiting).rejects.toMatchObject({ code: "CACHE_STOPPED" });
  expect(caches.running).toEqual([]);
  expect(await caches.of(Gizmo)).not.toBe(first);
  await caches[Symbol.asyncDispose]();
  await expect(caches.of(Gizmo)).rejects.toMatchObject({ code: "CACHE_STOPPED" });
});

test("who waits for a cache can stop waiting", async () => {
  await using world = await openEmbeddedCaches();
  const cache = await world.caches.of(Gizmo);
  const stop = new AbortController();
  const waiting = cache.synced({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("what caches do is counted", async () => {
  const counted = new Map<string, number>();
  const count = (metric: string, kind: string, by = 1): void =>
    void counted.set(`${metric} ${kind}`, (counted.get(`${metric} ${kind}`) ?? 0) + by);
  const metrics = {
    add: count,
    observe: count,
    set: (metric: string, kind: string, value: number) => void counted.set(`${metric} ${kind}`, value),
  };
  await using world = await openEmbeddedCaches({ metrics });
  const { caches, other } = world;
  await other.create(configMaps, configMap("default", "a"));
  await (await caches.of(configMaps)).synced();
  await other.create(configMaps, configMap("default", "b"));
  await caches.caughtUp();
  expect(Object.fromEntries(counted)).toMatchObject({
    "reflector_lists_total ConfigMap": 1,
    "reflector_items_per_list ConfigMap": 1,
    "reflector_watches_total ConfigMap": 1,
    "capstan_cache_events_total ConfigMap": 1,
    "capstan_cache_objects ConfigMap": 2,
  });
});
