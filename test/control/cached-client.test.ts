import { expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import { openEmbeddedCaches } from "./embedded-caches.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const key = { namespace: "default", name: "a" };

function configMap(name: string, data: { readonly [key: string]: string } = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name }, data };
}

test("what was written is read at once, without waiting for the server to tell", async () => {
  await using world = await openEmbeddedCaches();
  const { client, reader } = world;
  expect(await reader.find(configMaps, key)).toBeUndefined();
  const created = await client.create(configMaps, configMap("a", { size: "1" }));
  expect(await reader.get(configMaps, key)).toMatchObject({
    data: { size: "1" },
    metadata: { uid: created.metadata.uid },
  });
  await client.patch(configMaps, key, { kind: "merge", patch: { data: { size: "2" } } });
  expect(await reader.get(configMaps, key)).toMatchObject({ data: { size: "2" } });
  await client.delete(configMaps, key);
  expect(await reader.find(configMaps, key)).toBeUndefined();
  expect(await reader.list(configMaps, { namespace: "default" })).toEqual([]);
  await world.caches.caughtUp();
  expect(await reader.list(configMaps, { namespace: "default" })).toEqual([]);
});

test("what others write is there once the cache has caught up", async () => {
  await using world = await openEmbeddedCaches();
  const { other, reader, caches } = world;
  await other.create(configMaps, configMap("a"));
  expect(await reader.find(configMaps, key)).toMatchObject({ metadata: { name: "a" } });
  await other.create(configMaps, configMap("b"));
  await other.delete(configMaps, key);
  await caches.caughtUp();
  expect((await reader.list(configMaps, { namespace: "default" })).map(({ metadata }) => metadata.name)).toEqual(["b"]);
});
