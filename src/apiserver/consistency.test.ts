import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isConflict, isNotFound, type KubeObject, type ListOptions, type Transport, type WatchEvent } from "#machinery";
import { openLmdbStore, openMemoryStore, type Store } from "#apiserver/store";
import { afterAll, expect, test } from "vitest";
import { createRandom, openTestServer } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const homes = ["default", "kube-system", "kube-public"];
const apps = ["x", "y", "z"];
const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
const watchers = 50;
const writes = 3_000;

const scratch = await mkdtemp(join(tmpdir(), "capstan-consistency-"));
afterAll(() => rm(scratch, { recursive: true }));

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: () => Promise.resolve(openMemoryStore()),
  "a folder": () => openLmdbStore({ directory: join(scratch, "data") }),
};

for (const [name, openStore] of Object.entries(stores)) {
  test(`${watchers} watchers with selectors of their own end up with what a list shows, over ${name}`, async () => {
    const random = createRandom(20_261_115);
    const server = await openTestServer(await openStore());
    const { transport } = server;
    const views = Array.from({ length: watchers }, (_, index) => new View(transport, randomOptions(random, index)));
    const begun = views.map((view, index) =>
      index % 2 === 0 ? view.follow("from-nothing") : view.follow("from-a-list"),
    );
    for (let round = 0; round < writes / 20; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => randomWrite(transport, random)));
      // Some lose their connection on the way and resume.
      if (round % 10 === 0) pick(views, random).interrupt();
    }
    // All changes are on their way to their watchers, who read without waiting for anything else.
    await new Promise((resolve) => setImmediate(resolve));
    for (const view of views) {
      const { items } = await transport.list(configMaps, view.options);
      expect([view.options, view.objects()]).toEqual([view.options, items]);
      expect(view.mistakes).toEqual([]);
    }
    for (const view of views) view.stop();
    await Promise.all(begun);
    await server.close();
  });
}

test("whoever is refused because of another writer finds what that one wrote", async () => {
  const server = await openTestServer(openMemoryStore());
  const { transport } = server;
  const key = { namespace: "default", name: "a" };
  const object = configMap("default", "a");
  const label = (name: string, version?: string) => ({
    kind: "merge" as const,
    patch: { metadata: { labels: { [name]: "" }, ...(version === undefined ? {} : { resourceVersion: version }) } },
  });

  const creating = transport.create(configMaps, object);
  await expect(transport.create(configMaps, object)).rejects.toThrow("already exists");
  expect(await transport.get(configMaps, key)).toEqual(await creating);

  const { resourceVersion = "" } = (await creating).metadata;
  const patching = transport.patch(configMaps, key, label("first"));
  const refused = await transport.patch(configMaps, key, label("second", resourceVersion)).catch(isConflict);
  expect(refused).toBe(true);
  expect(await transport.get(configMaps, key)).toEqual(await patching);

  const deleting = transport.delete(configMaps, key);
  await expect(transport.delete(configMaps, key)).rejects.toThrow("not found");
  await expect(transport.get(configMaps, key)).rejects.toThrow("not found");
  await deleting;
  await server.close();
});

test("all who watch see the very same object", async () => {
  const server = await openTestServer(openMemoryStore());
  const { transport } = server;
  const watches = Array.from({ length: 5 }, () => transport.watch(configMaps)[Symbol.asyncIterator]());
  const seen = Promise.all(watches.map((watch) => watch.next()));
  const created = await transport.create(configMaps, configMap("default", "a"));
  for (const { value } of await seen) expect(value).toEqual({ kind: "added", object: created });
  const objects = (await seen).map(({ value }: { value: WatchEvent }) =>
    value.kind === "bookmark" ? undefined : value.object,
  );
  expect(new Set(objects)).toEqual(new Set([created]));
  expect(objects.every((object) => object === created)).toBe(true);
  expect(Object.isFrozen(created) && Object.isFrozen(created.metadata)).toBe(true);
  for (const watch of watches) await watch.return?.();
  await server.close();
});

test("a generated name that is taken is generated again, and given up after eight", async () => {
  let rolls = 0;
  let isFixed = true;
  const server = await openTestServer(openMemoryStore(), { random: () => (isFixed ? 0 : (++rolls % 27) / 27) });
  const { transport } = server;
  const object = { ...configMap("default", ""), metadata: { namespace: "default", generateName: "g-" } };
  const first = await transport.create(configMaps, object);
  expect(first.metadata.name).toBe("g-bbbbb");
  await expect(transport.create(configMaps, object)).rejects.toMatchObject({
    status: {
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "g-bbbbb" already exists, the server was not able to generate a unique name for the object',
      details: { name: "g-bbbbb", kind: "configmaps", retryAfterSeconds: 1 },
    },
  });
  isFixed = false;
  expect((await transport.create(configMaps, object)).metadata.name).not.toBe("g-bbbbb");
  await server.close();
});

test("keys that stood twice in a text are told, refused or ignored", async () => {
  const server = await openTestServer(openMemoryStore());
  const { transport } = server;
  const heard: string[] = [];
  const options = { duplicateFields: ["data.a"], onWarning: (text: string) => heard.push(text) };
  await transport.create(configMaps, configMap("default", "a"), options);
  expect(heard).toEqual(['duplicate field "data.a"']);
  const refused = transport.create(configMaps, configMap("default", "b"), { ...options, fieldValidation: "Strict" });
  await expect(refused).rejects.toThrow(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
  );
  await transport.create(configMaps, configMap("default", "b"), { ...options, fieldValidation: "Ignore" });
  expect(heard).toHaveLength(1);
  await server.close();
});

test("of many writers on one object exactly one wins each time", async () => {
  const server = await openTestServer(openMemoryStore());
  const { transport } = server;
  let current = await transport.create(configMaps, configMap("default", "contested"));
  for (let round = 0; round < 20; round += 1) {
    const base = current;
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, writer) =>
        transport.update(configMaps, { ...base, data: { by: `${round}-${writer}` } }),
      ),
    );
    const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
    expect(won).toHaveLength(1);
    expect(new Set(lost)).toEqual(
      new Set([
        'ApiError: Operation cannot be fulfilled on configmaps "contested": the object has been modified; please apply your changes to the latest version and try again',
      ]),
    );
    const [winner = current] = won;
    current = await transport.get(configMaps, { namespace: "default", name: "contested" });
    expect(current).toEqual(winner);
  }
  await server.close();
});

/** What one watcher believes to be there. */
class View {
  readonly options: ListOptions;
  readonly mistakes: string[] = [];
  readonly #transport: Transport;
  readonly #seen = new Map<string, KubeObject>();
  readonly #stop = new AbortController();
  #connection = new AbortController();
  #revision = 0;

  constructor(transport: Transport, options: ListOptions) {
    this.#transport = transport;
    this.options = options;
  }

  async follow(start: "from-nothing" | "from-a-list"): Promise<void> {
    if (start === "from-a-list") {
      const { items, metadata } = await this.#transport.list(configMaps, this.options);
      for (const object of items) this.#seen.set(keyOf(object), object);
      this.#revision = Number(metadata.resourceVersion);
    }
    while (!this.#stop.signal.aborted) {
      this.#connection = new AbortController();
      const signal = AbortSignal.any([this.#stop.signal, this.#connection.signal]);
      const resume =
        this.#revision === 0
          ? ({ sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true } as const)
          : { resourceVersion: String(this.#revision) };
      for await (const event of this.#transport.watch(configMaps, { ...this.options, ...resume, signal })) {
        this.#take(event);
        if (signal.aborted) break;
      }
    }
  }

  interrupt(): void {
    this.#connection.abort();
  }

  stop(): void {
    this.#stop.abort();
  }

  objects(): readonly KubeObject[] {
    return [...this.#seen.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  #take(event: WatchEvent): void {
    if (event.kind === "bookmark") {
      if (event.initialEventsEnd) this.#revision = Number(event.resourceVersion);
      return;
    }
    const revision = Number(event.object.metadata.resourceVersion);
    const key = keyOf(event.object);
    const isInitial = this.#revision === 0;
    if (!isInitial && revision <= this.#revision) this.mistakes.push(`${key} at ${revision} after ${this.#revision}`);
    if (event.kind === "added" && this.#seen.has(key) && !isInitial) this.mistakes.push(`${key} was added twice`);
    if (event.kind !== "added" && !this.#seen.has(key)) this.mistakes.push(`${key} was ${event.kind} unseen`);
    if (event.kind === "deleted") this.#seen.delete(key);
    else this.#seen.set(key, event.object);
    if (!isInitial) this.#revision = revision;
  }
}

function randomOptions(random: () => number, index: number): ListOptions {
  const options: { namespace?: string; labelSelector?: string; fieldSelector?: string } = {};
  if (random() < 0.5) options.namespace = pick(homes, random);
  if (random() < 0.7) {
    const [a, b] = [pick(apps, random), pick(apps, random)];
    options.labelSelector = pick([`app=${a}`, `app!=${a}`, `app in (${a},${b})`, "app", "!app"], random);
  }
  if (index % 7 === 0) options.fieldSelector = `metadata.name=${pick(names, random)}`;
  if (index % 11 === 0) options.fieldSelector = `metadata.name!=${pick(names, random)}`;
  return options;
}

async function randomWrite(transport: Transport, random: () => number): Promise<void> {
  const key = { namespace: pick(homes, random), name: pick(names, random) };
  const app = random() < 0.2 ? null : pick(apps, random);
  const dice = random();
  try {
    if (dice < 0.2) await transport.delete(configMaps, key);
    else if (dice < 0.6) {
      const patch = { metadata: { labels: { app } }, data: { number: String(random()) } };
      await transport.patch(configMaps, key, { kind: "merge", patch });
    } else await transport.create(configMaps, configMap(key.namespace, key.name, app === null ? {} : { app }));
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error) && !/already exists/.test(String(error))) throw error;
  }
}

function configMap(namespace: string, name: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, labels } };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function pick<T>(list: readonly T[], random: () => number): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
}
