import { describe, expect, test } from "vitest";
import { isNotFound, type KubeObject } from "#machinery";
import { type CacheChange, type Index } from "#control";
import { type EmbeddedCaches, openEmbeddedCaches } from "./embedded-caches.ts";
import { heldBack } from "./held-back.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const key = { namespace: "default", name: "a" };

function configMap(name: string, data: { readonly [key: string]: string } = {}, metadata: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name, ...metadata }, data };
}

function deployment(name: string): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "default", name, labels }, spec };
}

const namesOf = (objects: readonly KubeObject[]): readonly unknown[] => objects.map(({ metadata }) => metadata.name);

/** A world whose caches have been told nothing since they were synced, and what a subscriber hears. */
async function openSlowWorld(kind = configMaps) {
  const watches = heldBack();
  const world = await openEmbeddedCaches({ through: (transport) => watches.through(transport) });
  const told: string[] = [];
  const cache = await world.caches.of(kind);
  await cache.synced();
  cache.subscribe((change) => told.push(brief(change)), { signal: new AbortController().signal });
  told.length = 0;
  watches.hold();
  return { ...world, watches, told, cache, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

function brief({ kind, object }: CacheChange): string {
  return `${kind} ${object.metadata.name}`;
}

/** After all has been told, there is what the server has. */
async function settled({
  caches,
  watches,
}: Pick<EmbeddedCaches, "caches"> & { watches: { release(): void } }): Promise<void> {
  watches.release();
  await caches.caughtUp();
}

describe("a write is read at once, though no watch has told of it", () => {
  test("creating, changing and deleting", async () => {
    await using world = await openSlowWorld();
    const { client, reader, told } = world;
    await client.create(configMaps, configMap("a", { size: "1" }));
    expect(await reader.get(configMaps, key)).toMatchObject({ data: { size: "1" } });
    await client.patch(configMaps, key, { kind: "merge", patch: { data: { size: "2" } } });
    expect(await reader.list(configMaps, { namespace: "default" })).toMatchObject([{ data: { size: "2" } }]);
    const held = await reader.get(configMaps, key);
    await client.update(configMaps, { ...held, data: { size: "3" } });
    await client.apply(configMaps, configMap("a", { color: "red" }), { force: true });
    expect(await reader.get(configMaps, key)).toMatchObject({ data: { size: "3", color: "red" } });
    await client.delete(configMaps, key);
    expect(await reader.find(configMaps, key)).toBeUndefined();
    const refusal: unknown = await reader.get(configMaps, key).catch((error: unknown) => error);
    expect(isNotFound(refusal)).toBe(true);
    expect(told).toEqual(["added a", "changed a", "changed a", "changed a", "deleted a"]);
    await settled(world);
    expect(told).toHaveLength(5);
  });

  test("an object that is kept by a finalizer, until it is let go", async () => {
    await using world = await openSlowWorld();
    const { client, reader, told } = world;
    await client.create(configMaps, configMap("a", {}, { finalizers: ["example.com/wait"] }));
    await client.delete(configMaps, key);
    expect((await reader.get(configMaps, key)).metadata.deletionTimestamp).toBeDefined();
    await client.patch(configMaps, key, { kind: "merge", patch: { metadata: { finalizers: null } } });
    expect(await reader.find(configMaps, key)).toBeUndefined();
    await settled(world);
    expect(told).toEqual(["added a", "changed a", "deleted a"]);
  });

  test("an object that is deleted and made again", async () => {
    await using world = await openSlowWorld();
    const { client, reader, told } = world;
    await client.create(configMaps, configMap("a", { life: "1" }));
    await client.delete(configMaps, key);
    await client.create(configMaps, configMap("a", { life: "2" }));
    expect(await reader.get(configMaps, key)).toMatchObject({ data: { life: "2" } });
    await settled(world);
    expect(await reader.get(configMaps, key)).toMatchObject({ data: { life: "2" } });
    expect(told).toEqual(["added a", "deleted a", "added a"]);
  });

  test("status and scale", async () => {
    await using world = await openSlowWorld(deployments);
    const { client, reader } = world;
    await client.create(deployments, deployment("a"));
    await client.patchStatus(deployments, key, { kind: "merge", patch: { status: { replicas: 1 } } });
    expect(await reader.get(deployments, key)).toMatchObject({ status: { replicas: 1 } });
    await client.setReplicas(deployments, key, 3);
    expect(await reader.get(deployments, key)).toMatchObject({ spec: { replicas: 3 } });
  });

  test("many at once", async () => {
    await using world = await openSlowWorld();
    const { client, reader } = world;
    await client.create(configMaps, configMap("a", {}, { labels: { color: "red" } }));
    await client.create(configMaps, configMap("b", {}, { labels: { color: "red" }, finalizers: ["example.com/wait"] }));
    await client.create(configMaps, configMap("c"));
    await client.deleteAll(configMaps, { namespace: "default", labelSelector: "color=red" });
    const left = await reader.list(configMaps, { namespace: "default" });
    expect(left.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp !== undefined])).toEqual([
      ["b", true],
      ["c", false],
    ]);
  });

  test("what was only tried is not there", async () => {
    await using world = await openSlowWorld();
    const { client, reader } = world;
    await client.create(configMaps, configMap("a"), { dryRun: true });
    expect(await reader.find(configMaps, key)).toBeUndefined();
    await client.create(configMaps, configMap("a"));
    await client.delete(configMaps, key, { dryRun: true });
    expect(await reader.find(configMaps, key)).toBeDefined();
  });

  test("indexes and selectors", async () => {
    await using world = await openSlowWorld();
    const { client, reader } = world;
    const bySize: Index = { name: "size", valuesOf: ({ data }) => [String(Object(data).size)] };
    const sized = (value: string) => reader.list(configMaps, { indexed: { by: bySize, value } });
    await client.create(configMaps, configMap("a", { size: "1" }, { labels: { color: "red" } }));
    expect([namesOf(await sized("1")), namesOf(await sized("2"))]).toEqual([["a"], []]);
    await client.patch(configMaps, key, { kind: "merge", patch: { data: { size: "2" } } });
    expect([namesOf(await sized("1")), namesOf(await sized("2"))]).toEqual([[], ["a"]]);
    expect(namesOf(await reader.list(configMaps, { labelSelector: "color=red" }))).toEqual(["a"]);
    expect(namesOf(await reader.list(configMaps, { labelSelector: "color=blue" }))).toEqual([]);
  });
});

test("what others write is there once the cache has caught up", async () => {
  await using world = await openEmbeddedCaches();
  const { other, reader, caches } = world;
  await other.create(configMaps, configMap("a"));
  expect(await reader.find(configMaps, key)).toMatchObject({ metadata: { name: "a" } });
  await other.create(configMaps, configMap("b"));
  await other.delete(configMaps, key);
  await caches.caughtUp();
  expect(namesOf(await reader.list(configMaps, { namespace: "default" }))).toEqual(["b"]);
});

test("a kind that is to be read from the server is, and no cache is started for it", async () => {
  await using world = await openEmbeddedCaches({ kinds: [{ kind: { group: "", kind: "ConfigMap" }, live: true }] });
  const { other, reader, caches } = world;
  await other.create(configMaps, configMap("a", { size: "1" }));
  expect(await reader.get(configMaps, key)).toHaveProperty("metadata.managedFields");
  await other.delete(configMaps, key);
  expect(await reader.find(configMaps, key)).toBeUndefined();
  expect(await reader.list(configMaps, { namespace: "default" })).toEqual([]);
  expect(caches.running).toEqual([]);
});

test("a read of a kind that no server knows is refused", async () => {
  await using world = await openEmbeddedCaches();
  await expect(world.reader.list({ group: "example.com", version: "v1", kind: "Gizmo" })).rejects.toMatchObject({
    code: "NO_KIND_MATCH",
  });
});
