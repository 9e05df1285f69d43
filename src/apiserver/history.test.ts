import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { milliseconds, minutes, seconds } from "#base";
import type { KubeObject, Transport, WatchEvent } from "#machinery";
import { openLmdbStore, openMemoryStore, type Store } from "#apiserver/store";
import { afterAll, describe, expect, test } from "vitest";
import { openTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const events = { group: "", version: "v1", resource: "events" };
const scratch = await mkdtemp(join(tmpdir(), "capstan-history-"));
afterAll(() => rm(scratch, { recursive: true }));
let folders = 0;

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: () => Promise.resolve(openMemoryStore()),
  "a folder": () => openLmdbStore({ directory: join(scratch, `${++folders}`) }),
};

for (const [name, openStore] of Object.entries(stores)) {
  describe(`the past, over ${name}`, () => {
    test("what is older than five minutes and a thousand revisions is forgotten", () =>
      opened(openStore, async ({ transport, clock }) => {
        await create(transport, "a", "b", "c", "d");
        const first = await transport.list(configMaps, { namespace: "default", limit: 2 });
        const { resourceVersion = "", continue: token = "" } = first.metadata;
        await churn(transport, 3_000);
        await clock.advance(minutes(11));
        await churn(transport, 1);

        const watch = transport.watch(configMaps, { namespace: "default", resourceVersion });
        const { error } = await drained(watch);
        expect(error).toMatchObject({ status: { code: 410, reason: "Expired" } });
        expect(String(error)).toMatch(new RegExp(`too old resource version: ${resourceVersion} \\(\\d+\\)$`));

        const exact = transport.list(configMaps, { resourceVersion, resourceVersionMatch: "Exact" });
        await expect(exact).rejects.toMatchObject({
          status: { code: 410, reason: "Expired", message: "The resourceVersion for the provided list is too old." },
        });

        const page = transport.list(configMaps, { namespace: "default", limit: 2, continue: token });
        const status = await page.then(
          () => undefined,
          (reason: { status: { code: number; message: string; metadata: { continue?: string } } }) => reason.status,
        );
        expect(status).toMatchObject({ code: 410, reason: "Expired" });
        expect(status?.message).toMatch(
          /^The provided continue parameter is too old to display a consistent list result/,
        );
        const fresh = status?.metadata.continue ?? "";
        const rest = await transport.list(configMaps, { namespace: "default", limit: 2, continue: fresh });
        expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["c", "d"]);
        expect(Number(rest.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
      }));

    test("history that weighs too much is forgotten, the oldest first and however young it is", () =>
      opened(
        openStore,
        async ({ transport, server }) => {
          await create(transport, "a");
          const { metadata: old } = await transport.list(configMaps, { namespace: "default" });
          await churn(transport, 4_000);
          await server.settle();
          const { metadata: recent } = await transport.list(configMaps, { namespace: "default" });
          await churn(transport, 500);
          await server.settle();

          const { resourceVersion = "" } = old;
          const { error } = await drained(transport.watch(configMaps, { resourceVersion }));
          expect(error).toMatchObject({ status: { code: 410, reason: "Expired" } });
          expect(String(error)).toMatch(new RegExp(`too old resource version: ${resourceVersion} \\(\\d+\\)$`));

          const watch = transport.watch(configMaps, { resourceVersion: recent.resourceVersion ?? "" });
          expect(await countOf(watch, 500)).toBe(500);
        },
        { history: { bytes: 1_000_000 } },
      ));

    test("pages go on over any number of writes that memory no longer holds", () =>
      opened(openStore, async ({ transport }) => {
        await create(transport, "a", "b", "c", "d");
        const first = await transport.list(configMaps, { namespace: "default", limit: 2 });
        const { resourceVersion = "", continue: token = "" } = first.metadata;
        await transport.delete(configMaps, { namespace: "default", name: "d" });
        await churn(transport, 2_500);
        const second = await transport.list(configMaps, { namespace: "default", continue: token });
        expect(second.items.map(({ metadata }) => metadata.name)).toEqual(["c", "d"]);
        expect(second.metadata.resourceVersion).toBe(resourceVersion);
      }));

    test("a watch resumes where it was, however much was written since", () =>
      opened(openStore, async ({ transport }) => {
        await create(transport, "a");
        const { metadata } = await transport.list(configMaps, { namespace: "default" });
        await churn(transport, 2_500);
        const { resourceVersion = "" } = metadata;
        const stop = new AbortController();
        const seen: number[] = [];
        for await (const event of transport.watch(configMaps, { resourceVersion, signal: stop.signal })) {
          if (event.kind !== "bookmark") seen.push(Number(event.object.metadata.resourceVersion));
          if (seen.length === 2_500) break;
        }
        const first = seen[0] ?? 0;
        expect(seen).toEqual(Array.from({ length: 2_500 }, (_, index) => first + index));
      }));

    test("an event is gone after an hour", () =>
      opened(openStore, async ({ transport, server, clock }) => {
        await transport.create(events, {
          apiVersion: "v1",
          kind: "Event",
          metadata: { namespace: "default", name: "e" },
          involvedObject: { namespace: "default" },
        });
        await clock.advance(minutes(59));
        await server.settle();
        expect((await transport.list(events)).items).toHaveLength(1);
        await clock.advance(minutes(2));
        await server.settle();
        await clock.advance(seconds(11));
        await server.settle();
        expect((await transport.list(events)).items).toEqual([]);
      }));

    test("bookmarks come every minute and just before the end", () =>
      opened(openStore, async ({ transport, clock }) => {
        const watch = transport.watch(configMaps, {
          namespace: "default",
          resourceVersion: "0",
          allowWatchBookmarks: true,
          timeout: milliseconds(minutes(2) + seconds(30)),
        });
        const collected = drained(watch);
        await clock.advance(minutes(1));
        await create(transport, "a");
        await clock.advance(minutes(2));
        const { events: seen } = await collected;
        expect(seen.map(({ kind }) => kind)).toEqual(["bookmark", "added", "bookmark", "bookmark"]);
        const [early, , late, last] = seen.map((event) =>
          event.kind === "bookmark" ? Number(event.resourceVersion) : 0,
        );
        expect(Number(late)).toBeGreaterThan(Number(early));
        expect(last).toBe(late);
      }));

    test("a watcher that does not read is dropped, and nobody waits for it", () =>
      opened(openStore, async ({ transport }) => {
        await create(transport, "a");
        const slow = transport.watch(configMaps, { resourceVersion: "0" })[Symbol.asyncIterator]();
        expect((await slow.next()).value).toMatchObject({ kind: "added" });
        await churn(transport, 10_100);
        let last = 0;
        let count = 0;
        for (let result = await slow.next(); result.done !== true; result = await slow.next()) {
          if (result.value.kind !== "bookmark") last = Number(result.value.object.metadata.resourceVersion);
          count += 1;
        }
        expect(count).toBe(10_000);
        for await (const event of transport.watch(configMaps, { resourceVersion: String(last) })) {
          expect(event.kind === "bookmark" ? 0 : Number(event.object.metadata.resourceVersion)).toBe(last + 1);
          break;
        }
      }));
  });
}

describe("a restart", () => {
  test("goes on with the same objects, the next revision and the history from before", async () => {
    const directory = join(scratch, "restarted");
    const before = await openTestServer(await openLmdbStore({ directory }));
    const { metadata } = await before.transport.list(configMaps);
    await create(before.transport, "a", "b");
    await before.transport.delete(configMaps, { namespace: "default", name: "a" });
    const objects = await before.transport.list(configMaps);
    await before.close();

    const after = await openTestServer(await openLmdbStore({ directory }));
    expect(await after.transport.list(configMaps)).toEqual(objects);
    const { resourceVersion = "" } = metadata;
    const seen: string[] = [];
    for await (const event of after.transport.watch(configMaps, { resourceVersion })) {
      if (event.kind !== "bookmark") seen.push(`${event.kind} ${event.object.metadata.name}`);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["added a", "added b", "deleted a"]);
    const next = await after.transport.create(configMaps, configMap("c"));
    expect(Number(next.metadata.resourceVersion)).toBe(Number(objects.metadata.resourceVersion) + 1);
    await after.close();
  });
});

async function opened(
  openStore: () => Promise<Store>,
  run: (server: TestServer) => Promise<void>,
  options: TestServerOptions = {},
): Promise<void> {
  const server = await openTestServer(await openStore(), options);
  await run(server);
  await server.close();
}

function configMap(name: string, data: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name }, data };
}

async function create(transport: Transport, ...names: readonly string[]): Promise<void> {
  for (const name of names) await transport.create(configMaps, configMap(name));
}

const churned = Array.from({ length: 100 }, (_, index) => ({ namespace: "kube-public", name: `churned-${index}` }));

/** Writes so many revisions, as many as possible at once. */
async function churn(transport: Transport, count: number): Promise<void> {
  const present = await transport.list(configMaps, { namespace: "kube-public" });
  let turn = Number(present.metadata.resourceVersion);
  let left = count;
  if (present.items.length === 0) {
    await Promise.all(churned.map((metadata) => transport.create(configMaps, { ...configMap(""), metadata })));
    left -= churned.length;
  }
  while (left > 0) {
    turn += 1;
    const patch = { kind: "merge", patch: { data: { turn: String(turn) } } } as const;
    await Promise.all(churned.slice(0, left).map((key) => transport.patch(configMaps, key, patch)));
    left -= churned.length;
  }
}

/** Reads so many events. */
async function countOf(watch: AsyncIterable<WatchEvent>, most: number): Promise<number> {
  let seen = 0;
  for await (const event of watch) {
    if (event.kind !== "bookmark") seen += 1;
    if (seen === most) break;
  }
  return seen;
}

/** All events of a watch, and how it ended. */
async function drained(watch: AsyncIterable<WatchEvent>): Promise<{ events: WatchEvent[]; error: unknown }> {
  const seen: WatchEvent[] = [];
  try {
    for await (const event of watch) seen.push(event);
    return { events: seen, error: undefined };
  } catch (error) {
    return { events: seen, error };
  }
}
