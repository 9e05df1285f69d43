import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DataDamagedError, DataMissingError, DataNewerError, StoreUnavailableError } from "./errors.ts";
import { encodeKey } from "./key-codec.ts";
import { dataFormat, encodeMetaNumber, metaKeys, openDataFile, type Tables } from "./layout.ts";
import { dataFileIn, openLmdbStore } from "./open-lmdb-store.ts";
import { encodePair, encodeRevision } from "./record-codec.ts";
import { create, machine, mutation, storeSuite } from "./store-suite.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-store-"));
afterAll(() => rm(scratch, { recursive: true }));

let folders = 0;
function newFolder(): string {
  return join(scratch, `${++folders}`);
}

describe("a store in a folder", () => {
  storeSuite(() => openLmdbStore({ directory: newFolder() }));

  test("is after a restart what it was before", async () => {
    const directory = newFolder();
    const before = await openLmdbStore({ directory, clusterUid: "uid-1" });
    await create(before, machine("a"), machine("b"));
    await before.commit([
      { ...mutation("update", machine("a"), 3, 1), expires: 100 },
      mutation("delete", machine("b"), 4, 2),
      mutation("create", machine("c"), 5),
    ]);
    await before.compact(2);
    const content = {
      heads: [...before.heads()],
      history: [...before.historyFrom(2)],
      expired: [...before.expired(100)],
      counters: [before.revision, before.compacted, before.clusterUid],
    };
    await before.close();
    const after = await openLmdbStore({ directory, clusterUid: "uid-2" });
    expect({
      heads: [...after.heads()],
      history: [...after.historyFrom(2)],
      expired: [...after.expired(100)],
      counters: [after.revision, after.compacted, after.clusterUid],
    }).toEqual(content);
    await after.commit([mutation("update", machine("a"), 6, 3)]);
    expect([...after.expired(1000)]).toEqual([]);
    await after.close();
  });

  test("can be read while it is served, but not written", async () => {
    const directory = newFolder();
    await expect(openLmdbStore({ directory, readOnly: true })).rejects.toThrow(DataMissingError);
    const store = await openLmdbStore({ directory });
    await create(store, machine("a"));
    const reader = await openLmdbStore({ directory, readOnly: true });
    expect([reader.revision, reader.get(machine("a"))]).toEqual([1, store.get(machine("a"))]);
    await expect(create(reader, machine("b"))).rejects.toThrow(StoreUnavailableError);
    await reader.close();
    await create(store, machine("b"));
    await store.close();
  });

  test("that was begun but never finished is begun anew", async () => {
    const directory = newFolder();
    await mkdir(directory);
    await writeFile(`${dataFileIn(directory)}.new`, "half a file");
    const store = await openLmdbStore({ directory });
    expect(store.revision).toBe(0);
    await store.close();
    expect((await readdir(directory)).toSorted()).toEqual(["data.mdb", "data.mdb-lock"]);
  });

  test("of a newer format is refused by name", async () => {
    const directory = newFolder();
    await (await openLmdbStore({ directory })).close();
    await change(directory, ({ meta }) => {
      void meta.put(metaKeys.format, encodeMetaNumber(metaKeys.format, dataFormat + 1));
      void meta.remove(metaKeys.compacted);
    });
    const refused = openLmdbStore({ directory });
    await expect(refused).rejects.toThrow(DataNewerError);
    await expect(refused).rejects.toThrow(
      `${dataFileIn(directory)} has data format 2, and this version reads formats up to 1`,
    );
  });

  for (const size of [0, 1, 100, 8192, 16_384])
    test(`cut to ${size} bytes is refused`, async () => {
      const directory = newFolder();
      const store = await openLmdbStore({ directory });
      await create(store, machine("a"));
      await store.close();
      await truncate(dataFileIn(directory), size);
      await expect(openLmdbStore({ directory })).rejects.toThrow(DataDamagedError);
      await expect(openLmdbStore({ directory, readOnly: true })).rejects.toThrow(DataDamagedError);
    });

  const disagreements: Record<string, (tables: Tables) => void> = {
    "a counter that runs ahead": ({ meta }) => void meta.put(metaKeys.revision, encodeMetaNumber(metaKeys.revision, 9)),
    "a counter that lags behind": ({ meta }) =>
      void meta.put(metaKeys.revision, encodeMetaNumber(metaKeys.revision, 3)),
    "a counter without checksum": ({ meta }) => void meta.put(metaKeys.revision, encodeRevision(4)),
    "no counter": ({ meta }) => void meta.remove(metaKeys.compacted),
    "a version missing from the history": ({ log }) => void log.remove(encodeRevision(2)),
    "a version that is not what was written": ({ log }) => void log.put(encodeRevision(2), Buffer.from("something")),
    "an object missing": ({ head }) => void head.remove(encodeKey(machine("b"))),
    "an object too many": ({ head }) => void head.put(encodeKey(machine("z")), encodeRevision(1)),
    "an object in an old version": ({ head }) => void head.put(encodeKey(machine("a")), encodeRevision(1)),
    "a replaced version not listed": ({ dead }) => void dead.remove(encodePair(3, 1)),
    "a replaced version too many": ({ dead }) => void dead.put(encodePair(4, 2), Buffer.alloc(0)),
    "an expiry of what is gone": ({ ttl }) => void ttl.put(encodePair(5, 1), encodeKey(machine("a"))),
  };
  for (const [what, spoil] of Object.entries(disagreements))
    test(`with ${what} is refused`, async () => {
      const directory = newFolder();
      const store = await openLmdbStore({ directory });
      await create(store, machine("a"), machine("b"));
      await store.commit([mutation("update", machine("a"), 3, 1), mutation("create", machine("c"), 4)]);
      await store.close();
      await change(directory, spoil);
      await expect(openLmdbStore({ directory })).rejects.toThrow(DataDamagedError);
    });
});

async function change(directory: string, write: (tables: Tables) => void): Promise<void> {
  const { root, tables } = openDataFile(dataFileIn(directory));
  await root.batch(() => write(tables));
  await root.close();
}
