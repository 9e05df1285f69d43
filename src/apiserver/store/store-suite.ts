import { expect, test } from "vitest";
import {
  CompactedError,
  FutureRevisionError,
  InvalidBatchError,
  InvalidKeyError,
  StoreUnavailableError,
} from "./errors.ts";
import type { Mutation, Operation, Store, StoredRecord, StoreKey } from "./store.ts";

const machines = { group: "cluster.x-k8s.io", resource: "machines" };

/** A key in the resource that the suite works with. */
export function machine(name: string, namespace = "default"): StoreKey {
  return { ...machines, namespace, name };
}

/** A mutation whose value tells it apart from all others. */
export function mutation(op: Operation, key: StoreKey, revision: number, previous = 0): Mutation {
  return { op, key, revision, previous, value: JSON.stringify({ name: key.name, revision }) };
}

/** Creates objects one by one, continuing the revisions of a store. */
export async function create(store: Store, ...keys: readonly StoreKey[]): Promise<void> {
  await store.commit(keys.map((key, index) => mutation("create", key, store.revision + 1 + index)));
}

/** What every store does, whatever it keeps its objects in. */
export function storeSuite(open: () => Promise<Store>): void {
  async function opened(run: (store: Store) => Promise<void>): Promise<void> {
    const store = await open();
    try {
      await run(store);
    } finally {
      await store.close();
    }
  }

  test("a new store is empty and stands at revision 0", () =>
    opened(async (store) => {
      expect([...store.heads(), ...store.historyFrom(0), ...store.range(machines), ...store.at(0, machines)]).toEqual(
        [],
      );
      expect({ revision: store.revision, compacted: store.compacted }).toEqual({ revision: 0, compacted: 0 });
      expect(store.clusterUid).not.toBe("");
    }));

  test("an object is read back as it was written, whatever its text", () =>
    opened(async (store) => {
      const value = JSON.stringify({ text: "päckchen 🎁 \u0000 \u{10ffff}", long: "x".repeat(50_000) });
      const record = { op: "create", key: machine("a"), revision: 1, previous: 0, value } as const;
      await store.commit([record]);
      expect(store.get(machine("a"))).toEqual(record);
      expect(store.get(machine("b"))).toBeUndefined();
      expect(store.revision).toBe(1);
    }));

  test("history holds every version, heads only the newest of what exists", () =>
    opened(async (store) => {
      const all = [
        mutation("create", machine("a"), 1),
        mutation("create", machine("b"), 2),
        mutation("update", machine("a"), 3, 1),
        mutation("delete", machine("b"), 4, 2),
        mutation("create", machine("b"), 5),
      ];
      await store.commit(all.slice(0, 2));
      await store.commit(all.slice(2));
      expect([...store.historyFrom(0)]).toEqual(all);
      expect([...store.historyFrom(3)]).toEqual(all.slice(3));
      expect([...store.historyFrom(5)]).toEqual([]);
      expect([...store.heads()]).toEqual([all[2], all[4]]);
    }));

  test("one batch may write one object several times", () =>
    opened(async (store) => {
      await store.commit([
        mutation("create", machine("a"), 1),
        mutation("update", machine("a"), 2, 1),
        mutation("delete", machine("a"), 3, 2),
        mutation("create", machine("a"), 4),
      ]);
      expect(store.get(machine("a"))?.revision).toBe(4);
    }));

  test("commits under way at the same time keep their order", () =>
    opened(async (store) => {
      const commits = Array.from({ length: 50 }, (_, index) =>
        store.commit([mutation(index === 0 ? "create" : "update", machine("a"), index + 1, index)]),
      );
      const order: number[] = [];
      await Promise.all(commits.map(async (commit, index) => commit.then(() => order.push(index))));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect([...store.historyFrom(0)].map(({ revision }) => revision)).toEqual(order.map((index) => index + 1));
      expect(store.revision).toBe(50);
    }));

  const refused: Record<string, readonly Mutation[]> = {
    "a revision left out": [mutation("create", machine("b"), 3)],
    "a revision used again": [mutation("create", machine("b"), 1)],
    "a gap inside the batch": [mutation("create", machine("b"), 2), mutation("create", machine("c"), 4)],
    "a create of what exists": [mutation("create", machine("a"), 2)],
    "a create that replaces": [mutation("create", machine("a"), 2, 1)],
    "an update of what does not exist": [mutation("update", machine("b"), 2)],
    "an update of an older version": [mutation("update", machine("a"), 2, 1), mutation("update", machine("a"), 3, 1)],
    "a delete of what does not exist": [mutation("delete", machine("b"), 2)],
    "a delete twice": [mutation("delete", machine("a"), 2, 1), mutation("delete", machine("a"), 3, 2)],
    "an expiry that is no time": [{ ...mutation("create", machine("b"), 2), expires: Number.NaN }],
  };
  for (const [what, batch] of Object.entries(refused))
    test(`a batch with ${what} is refused whole, and the store goes on`, () =>
      opened(async (store) => {
        await create(store, machine("a"));
        await expect(store.commit(batch)).rejects.toThrow(InvalidBatchError);
        expect(store.revision).toBe(1);
        await create(store, machine("z"));
        expect([...store.heads()].map(({ key }) => key.name)).toEqual(["a", "z"]);
      }));

  test("keys sort by group, resource, namespace and name, and no character confuses them", () =>
    opened(async (store) => {
      const keys: StoreKey[] = [
        { group: "", resource: "pods", namespace: "", name: "a" },
        { group: "", resource: "pods", namespace: "", name: "a\0" },
        { group: "", resource: "pods", namespace: "", name: "a\0b" },
        { group: "", resource: "pods", namespace: "", name: "a\u0001" },
        { group: "", resource: "pods", namespace: "", name: "a\u0002" },
        { group: "", resource: "pods", namespace: "", name: "ab" },
        { group: "", resource: "pods", namespace: "\0", name: "a" },
        { group: "", resource: "pods", namespace: "a", name: "z" },
        { group: "", resource: "pods", namespace: "a-b", name: "a" },
        { group: "", resource: "pods", namespace: "aa", name: "\uffff" },
        { group: "", resource: "pods", namespace: "aa", name: "\u{1f381}" },
        { group: "", resource: "pods2", namespace: "", name: "" },
        { group: "\0", resource: "pods", namespace: "", name: "a" },
      ];
      await create(store, ...keys.toReversed());
      expect([...store.heads()].map(({ key }) => key)).toEqual(keys);
      expect([...store.range({ group: "", resource: "pods" })].map(({ key }) => key)).toEqual(keys.slice(0, 11));
      const inA = [...store.range({ group: "", resource: "pods", namespace: "a" })];
      expect(inA.map(({ key }) => key)).toEqual([keys[7]]);
      for (const key of keys) expect(store.get(key)?.key).toEqual(key);
    }));

  test("a key that is no well-formed text or too long is refused", () =>
    opened(async (store) => {
      await expect(create(store, machine("\ud800"))).rejects.toThrow(InvalidKeyError);
      await expect(create(store, machine("x".repeat(5000)))).rejects.toThrow(InvalidKeyError);
      expect(store.revision).toBe(0);
    }));

  test("a range begins behind a key and ends at its limit", () =>
    opened(async (store) => {
      await create(store, ...["a", "b", "c", "d"].map((name) => machine(name)), machine("a", "other"));
      expect(names(store.range(machines, { limit: 2 }))).toEqual(["default/a", "default/b"]);
      expect(names(store.range(machines, { after: machine("b"), limit: 2 }))).toEqual(["default/c", "default/d"]);
      expect(names(store.range(machines, { after: machine("bb"), limit: 2 }))).toEqual(["default/c", "default/d"]);
      expect(names(store.range(machines, { after: machine("d") }))).toEqual(["other/a"]);
      expect(names(store.range({ ...machines, namespace: "default" }, { after: machine("d") }))).toEqual([]);
      expect(names(store.range({ ...machines, namespace: "other" }, { after: machine("a") }))).toEqual(["other/a"]);
    }));

  test("the state at an older revision has neither later writes nor earlier deletes", () =>
    opened(async (store) => {
      await create(store, machine("a"), machine("c"), machine("e"));
      await store.commit([
        mutation("delete", machine("a"), 4, 1),
        mutation("update", machine("c"), 5, 2),
        mutation("create", machine("b"), 6),
        mutation("create", machine("a"), 7),
        mutation("delete", machine("e"), 8, 3),
        mutation("update", machine("b"), 9, 6),
        { ...mutation("create", machine("d"), 10), key: { ...machine("d"), resource: "clusters" } },
      ]);
      const at = (revision: number): string[] =>
        [...store.at(revision, machines)].map((record) => `${record.key.name}${record.revision}`);
      expect([0, 3, 4, 5, 6, 7, 8, 9, 10].map(at)).toEqual([
        [],
        ["a1", "c2", "e3"],
        ["c2", "e3"],
        ["c5", "e3"],
        ["b6", "c5", "e3"],
        ["a7", "b6", "c5", "e3"],
        ["a7", "b6", "c5"],
        ["a7", "b9", "c5"],
        ["a7", "b9", "c5"],
      ]);
    }));

  test("compaction forgets what was replaced and deleted, and keeps what exists", () =>
    opened(async (store) => {
      await create(store, machine("a"), machine("b"));
      await store.commit([
        mutation("update", machine("a"), 3, 1),
        mutation("delete", machine("b"), 4, 2),
        mutation("update", machine("a"), 5, 3),
      ]);
      await store.compact(4, { step: 1 });
      expect(store.compacted).toBe(4);
      expect([...store.historyFrom(4)].map(({ revision }) => revision)).toEqual([5]);
      expect([...store.at(4, machines)].map(({ revision }) => revision)).toEqual([3]);
      expect(() => store.historyFrom(3)).toThrow(CompactedError);
      expect(() => store.at(3, machines)).toThrow(CompactedError);
      await store.compact(2);
      expect(store.compacted).toBe(4);
      await store.compact(5);
      expect([...store.heads()].map(({ revision }) => revision)).toEqual([5]);
      await create(store, machine("b"));
      expect(store.get(machine("b"))?.revision).toBe(6);
    }));

  test("a revision that is not written yet is refused", () =>
    opened(async (store) => {
      await create(store, machine("a"));
      expect(() => store.historyFrom(2)).toThrow(FutureRevisionError);
      expect(() => store.at(2, machines)).toThrow(FutureRevisionError);
      await expect(store.compact(2)).rejects.toThrow(FutureRevisionError);
    }));

  test("writes go on while a compaction is under way", () =>
    opened(async (store) => {
      await create(store, machine("a"));
      for (let revision = 2; revision <= 40; revision++)
        await store.commit([mutation("update", machine("a"), revision, revision - 1)]);
      const compaction = store.compact(40, { step: 5 });
      for (let revision = 41; revision <= 60; revision++)
        await store.commit([mutation("update", machine("a"), revision, revision - 1)]);
      await compaction;
      expect([...store.historyFrom(40)].map(({ revision }) => revision)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 41),
      );
      expect(() => store.historyFrom(39)).toThrow(CompactedError);
    }));

  test("an object expires by its newest version only", () =>
    opened(async (store) => {
      await store.commit([
        { ...mutation("create", machine("late"), 1), expires: 300 },
        { ...mutation("create", machine("renewed"), 2), expires: 100 },
        { ...mutation("create", machine("soon"), 3), expires: 200 },
        { ...mutation("create", machine("deleted"), 4), expires: 100 },
        { ...mutation("create", machine("kept"), 5), expires: 100 },
      ]);
      await store.commit([
        { ...mutation("update", machine("renewed"), 6, 2), expires: 400 },
        mutation("delete", machine("deleted"), 7, 4),
        mutation("update", machine("kept"), 8, 5),
      ]);
      const expired = (now: number): string[] =>
        [...store.expired(now)].map(({ key, revision }) => `${key.name}${revision}`);
      expect([99, 200, 300, 1000].map(expired)).toEqual([
        [],
        ["soon3"],
        ["soon3", "late1"],
        ["soon3", "late1", "renewed6"],
      ]);
    }));

  test("a closed store says so", async () => {
    const store = await open();
    await create(store, machine("a"));
    await store.close();
    await store.close();
    await expect(create(store, machine("b"))).rejects.toThrow(StoreUnavailableError);
    expect(() => store.get(machine("a"))).toThrow(StoreUnavailableError);
  });

  test("closing waits for the commits under way", async () => {
    const store = await open();
    const commit = create(store, machine("a"));
    await Promise.all([store.close(), commit]);
    expect(store.revision).toBe(1);
  });
}

function names(records: Iterable<StoredRecord>): string[] {
  return [...records].map(({ key }) => `${key.namespace}/${key.name}`);
}
