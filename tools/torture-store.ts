import { type Mutation, openLmdbStore, type Store, type StoredRecord, type StoreKey } from "#apiserver/store";
import {
  contentOf,
  sequenceOf,
  type TortureFindings,
  type TortureRecord,
  type TortureSubject,
} from "./torture-subject.ts";

// Few enough that compaction has work in every round.
const keptRevisions = 2_000;

/** The bare store, with the commit step of a registry in front of it: one batch under way, the next one gathers. */
export async function openSubject(directory: string): Promise<TortureSubject> {
  const store = await openLmdbStore({ directory });
  const heads = new Map([...store.heads()].map(({ key, revision, value }) => [key.name, { revision, value }]));
  const commit = groupCommit(store);
  return {
    put(key, sequence) {
      const value = contentOf(key, sequence);
      return commit((revision) => {
        const previous = heads.get(key)?.revision ?? 0;
        heads.set(key, { revision, value });
        return { op: previous === 0 ? "create" : "update", key: storeKey(key), revision, previous, value };
      });
    },
    remove(key) {
      return commit((revision) => {
        const head = heads.get(key);
        if (head === undefined) throw new Error(`${key} does not exist`);
        heads.delete(key);
        return { op: "delete", key: storeKey(key), revision, previous: head.revision, value: head.value };
      });
    },
    compact: () => store.compact(Math.max(store.compacted, store.revision - keptRevisions)),
  };
}

/** Opens what a killed process left, checks included. */
export async function openFindings(directory: string): Promise<TortureFindings> {
  const store = await openLmdbStore({ directory });
  return {
    revision: store.revision,
    compacted: store.compacted,
    objects: [...store.heads()].map(tortureRecord),
    historyFrom: (revision) => [...store.historyFrom(revision)].map(tortureRecord),
    close: () => store.close(),
  };
}

type Prepare = (revision: number) => Mutation;

function groupCommit(store: Store): (prepare: Prepare) => Promise<number> {
  let next = store.revision + 1;
  let gathered: { batch: Mutation[]; done: Promise<void> } | undefined;
  let underWay = Promise.resolve();
  return async (prepare) => {
    const revision = next++;
    if (gathered === undefined) {
      const batch: Mutation[] = [];
      const done = underWay.then(() => {
        gathered = undefined;
        return store.commit(batch);
      });
      gathered = { batch, done };
      underWay = done;
    }
    gathered.batch.push(prepare(revision));
    await gathered.done;
    return revision;
  };
}

function storeKey(name: string): StoreKey {
  return { group: "torture.capstan.dev", resource: "victims", namespace: "default", name };
}

function tortureRecord({ key, op, revision, value }: StoredRecord): TortureRecord {
  return { key: key.name, op: op === "delete" ? "remove" : "put", revision, sequence: sequenceOf(value) };
}
