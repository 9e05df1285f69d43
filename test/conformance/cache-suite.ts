import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger, systemClock } from "#base";
import type { Subject } from "#apiserver/behaviour";
import { createClient } from "#client";
import { type CacheChoice, createCachedClient, createCaches } from "#control";
import type { KubeObject } from "#machinery";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const namespaces = { group: "", version: "v1", kind: "Namespace" };

/** What caches do on any server, however it is reached. */
export function cacheSuite(open: () => Promise<Subject>): void {
  let subject: Subject;
  let count = 0;
  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => subject.close());

  /** Caches of a namespace of its own, and somebody else who writes there. */
  async function scene() {
    const clock = systemClock;
    const problems: string[] = [];
    const log = createLogger({
      format: "text",
      level: "warn",
      clock,
      destination: { write: (line) => problems.push(line) },
    });
    const other = createClient(subject.transport, { fieldOwner: "other" });
    const namespace = `cache-${subject.run}${++count}`;
    await other.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const client = createClient(subject.transport, { fieldOwner: "cached" });
    const defaults = { selection: { namespaces: [namespace], fieldSelector: "metadata.name!=kube-root-ca.crt" } };
    const caches = createCaches({ client, clock, random: () => 0.5, log, defaults });
    const key = { namespace, name: "a" };
    const close = () => caches[Symbol.asyncDispose]();
    return {
      other,
      namespace,
      key,
      caches,
      problems,
      ...createCachedClient({ client, caches }),
      [Symbol.asyncDispose]: close,
    };
  }

  test("what is there comes at once, what changes is there when the cache has caught up", async () => {
    await using world = await scene();
    const { other, reader, caches, namespace, key } = world;
    await other.create(configMaps, configMap(key, { size: "1" }));
    expect(await reader.list(configMaps)).toMatchObject([{ data: { size: "1" }, metadata: { namespace } }]);
    await other.patch(configMaps, key, { kind: "merge", patch: { data: { size: "2" } } });
    await other.create(configMaps, configMap({ namespace, name: "b" }));
    await caches.caughtUp();
    expect(await reader.list(configMaps)).toMatchObject([{ data: { size: "2" } }, { metadata: { name: "b" } }]);
    await other.delete(configMaps, key);
    await caches.caughtUp();
    expect(await reader.find(configMaps, key)).toBeUndefined();
    expect(world.problems).toEqual([]);
  });

  test("no read is older than a write that has returned", async () => {
    await using world = await scene();
    const { client, reader, caches, key, namespace } = world;
    await (await caches.of(configMaps)).synced();
    for (let life = 1; life <= 20; life += 1) {
      const { metadata } = await client.create(configMaps, configMap(key, { life: String(life) }));
      expect((await reader.get(configMaps, key)).metadata.uid).toBe(metadata.uid);
      const patch = { data: { life: `${life}.1` } };
      await client.patch(configMaps, key, { kind: "merge", patch });
      expect(await reader.get(configMaps, key)).toMatchObject(patch);
      await client.delete(configMaps, key);
      expect(await reader.list(configMaps, { namespace })).toEqual([]);
    }
    await caches.caughtUp();
    expect(await reader.list(configMaps, { namespace })).toEqual([]);
  });

  test("an object that waits for its finalizers is there until the last one is gone", async () => {
    await using world = await scene();
    const { client, reader, key } = world;
    expect(await reader.find(configMaps, key)).toBeUndefined();
    const { metadata, ...rest } = configMap(key);
    await client.create(configMaps, { ...rest, metadata: { ...metadata, finalizers: ["example.com/wait"] } });
    await client.delete(configMaps, key);
    expect((await reader.get(configMaps, key)).metadata.deletionTimestamp).toBeDefined();
    await client.patch(configMaps, key, { kind: "merge", patch: { metadata: { finalizers: null } } });
    expect(await reader.find(configMaps, key)).toBeUndefined();
  });

  test("scale and status are read as they were written", async () => {
    await using world = await scene();
    const { client, reader, key } = world;
    expect(await reader.find(deployments, key)).toBeUndefined();
    await client.create(deployments, deploymentOf(key));
    await client.setReplicas(deployments, key, 4);
    expect(await reader.get(deployments, key)).toMatchObject({ spec: { replicas: 4 } });
    await client.patchStatus(deployments, key, { kind: "merge", patch: { status: { replicas: 2 } } });
    expect(await reader.get(deployments, key)).toMatchObject({ status: { replicas: 2 } });
  });

  test("a cache of metadata has nothing else", async () => {
    await using world = await scene();
    const { other, caches, key } = world;
    await other.create(configMaps, configMap(key, { size: "1" }));
    const choice: CacheChoice = { metadataOnly: true };
    const cache = await caches.of(configMaps, choice);
    await cache.synced();
    await other.create(configMaps, configMap({ ...key, name: "b" }, { size: "2" }));
    await caches.caughtUp();
    expect(cache.list().map((object) => [object.kind, object.metadata.name, "data" in object])).toEqual([
      ["ConfigMap", "a", false],
      ["ConfigMap", "b", false],
    ]);
  });
}

function configMap(
  key: { readonly namespace: string; readonly name: string },
  data: { readonly [key: string]: string } = {},
): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: key, data };
}

function deploymentOf(key: { readonly namespace: string; readonly name: string }): KubeObject {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: key, spec };
}
