import { randomUUID } from "node:crypto";
import { openApiServer, openLmdbStore, type ApiServer, type Store } from "#apiserver";
import { createLogger, milliseconds, systemClock } from "#base";
import { fieldAt, type KubeObject, type Transport } from "#machinery";
import {
  contentOf,
  sequenceOf,
  type TortureFindings,
  type TortureRecord,
  type TortureSubject,
} from "./torture-subject.ts";

// Few enough that compaction has work in every round.
const keptRevisions = 2_000;
const namespace = "default";
const configMaps = { group: "", version: "v1", resource: "configmaps" };

/** The whole engine of the API server: registry, committer, watch and store. */
export async function openSubject(directory: string): Promise<TortureSubject> {
  const { store, transport } = await open(directory);
  const { items, metadata } = await transport.list(configMaps, { namespace });
  const existing = new Set(items.map(({ metadata: { name = "" } }) => name));
  const removals = followRemovals(transport, metadata.resourceVersion ?? "");
  return {
    async put(key, sequence) {
      const object = victim(key, sequence);
      const stored = existing.has(key)
        ? await transport.update(configMaps, object)
        : await transport.create(configMaps, object);
      existing.add(key);
      return Number(stored.metadata.resourceVersion);
    },
    async remove(key) {
      existing.delete(key);
      const seen = removals.next(key);
      await transport.delete(configMaps, { namespace, name: key });
      return await seen;
    },
    compact: () => store.compact(Math.max(store.compacted, store.revision - keptRevisions)),
  };
}

/** Starts anew on what a killed process left; history is what watchers see who resume. */
export async function openFindings(directory: string): Promise<TortureFindings> {
  const { server, store, transport } = await open(directory);
  await server.settle();
  const { items } = await transport.list(configMaps, { namespace });
  return {
    revision: store.revision,
    compacted: store.compacted,
    objects: items.map((object) => recordOf(object, "put")),
    historyFrom: (revision) => historyFrom(store, transport, revision),
    close: () => server.close(),
  };
}

async function open(
  directory: string,
): Promise<{ readonly server: ApiServer; readonly store: Store; readonly transport: Transport }> {
  const store = await openLmdbStore({ directory });
  const fail = (error: unknown) => {
    throw error;
  };
  const server = await openApiServer({
    store,
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: fail } }),
    random: Math.random,
    uuid: randomUUID,
    onFatal: fail,
  });
  return { server, store, transport: server.transport() };
}

/** The answer to a delete does not tell its revision, a watch does. */
function followRemovals(
  transport: Transport,
  resourceVersion: string,
): { readonly next: (key: string) => Promise<number> } {
  const waiting = new Map<string, (revision: number) => void>();
  const follow = async () => {
    for await (const event of transport.watch(configMaps, { namespace, resourceVersion })) {
      if (event.kind !== "deleted") continue;
      const { name = "", resourceVersion: revision } = event.object.metadata;
      waiting.get(name)?.(Number(revision));
    }
  };
  void follow();
  return { next: (key) => new Promise((resolve) => waiting.set(key, resolve)) };
}

/** Every revision after one: what a watcher sees of the victims, and from the store what else was written. */
async function historyFrom(store: Store, transport: Transport, revision: number): Promise<readonly TortureRecord[]> {
  const records: TortureRecord[] = [];
  // It ends at once, after all that was missed. 0 would stand for "whatever is there"; the first write is a namespace.
  const watch = { namespace, resourceVersion: String(Math.max(1, revision)), timeout: milliseconds(1) };
  for await (const event of transport.watch(configMaps, watch)) {
    if (event.kind !== "bookmark") records.push(recordOf(event.object, event.kind === "deleted" ? "remove" : "put"));
  }
  for (const { key, op, revision: at } of store.historyFrom(revision)) {
    if (key.resource === configMaps.resource && key.namespace === namespace) continue;
    const name = `${key.resource}/${key.namespace}/${key.name}`;
    records.push({ key: name, op: op === "delete" ? "remove" : "put", revision: at, sequence: 0, foreign: true });
  }
  return records.toSorted((a, b) => a.revision - b.revision);
}

function victim(name: string, sequence: number): KubeObject {
  const data = { content: contentOf(name, sequence) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
}

function recordOf(object: KubeObject, op: TortureRecord["op"]): TortureRecord {
  const { name = "", resourceVersion } = object.metadata;
  return {
    key: name,
    op,
    revision: Number(resourceVersion),
    sequence: sequenceOf(String(fieldAt(object, "data", "content"))),
  };
}
