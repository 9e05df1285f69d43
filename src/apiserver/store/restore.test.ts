import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CompactedError, DataDamagedError, DataMissingError, FolderNotEmptyError } from "./errors.ts";
import { openMemoryStore } from "./memory-store.ts";
import { openLmdbStore } from "./open-lmdb-store.ts";
import { restoreBackup } from "./restore.ts";
import type { Store } from "./store.ts";
import { create, machine, mutation } from "./store-suite.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-restore-"));
afterAll(() => rm(scratch, { recursive: true }));

let places = 0;
function newPlace(): string {
  return join(scratch, `${++places}`);
}

const stores: Record<string, () => Promise<Store>> = {
  "a folder": () => openLmdbStore({ directory: newPlace() }),
  memory: async () => openMemoryStore(),
};

for (const [kind, open] of Object.entries(stores))
  describe(`a backup of a store in ${kind}`, () => {
    test("restores every object, 1,000,000 revisions later and without history", async () => {
      const [file, directory] = [newPlace(), newPlace()];
      const store = await open();
      await create(store, machine("a"), machine("b"));
      await store.commit([
        { ...mutation("update", machine("a"), 3, 1), value: JSON.stringify("x".repeat(20_000)), expires: 50 },
        mutation("delete", machine("b"), 4, 2),
      ]);
      await store.backup(file);
      await create(store, machine("after-the-backup"));
      expect(await restoreBackup({ file, directory })).toEqual({ from: 4, revision: 1_000_004 });
      const restored = await openLmdbStore({ directory });
      expect([restored.revision, restored.compacted, restored.clusterUid]).toEqual([
        1_000_004,
        1_000_004,
        store.clusterUid,
      ]);
      expect([...restored.heads()]).toEqual([store.get(machine("a"))]);
      expect([...restored.expired(50)]).toEqual([{ key: machine("a"), revision: 3 }]);
      expect(() => restored.historyFrom(4)).toThrow(CompactedError);
      // Large values lie on pages of their own, which have to be replaceable too.
      await restored.commit([mutation("update", machine("a"), 1_000_005, 3)]);
      await restored.compact(1_000_005);
      await Promise.all([restored.close(), store.close()]);
      await (await openLmdbStore({ directory })).close();
    });
  });

describe("a restore", () => {
  test("touches no folder that has anything in it", async () => {
    const { file, directory } = await sample();
    await expect(restoreBackup({ file, directory })).rejects.toThrow(FolderNotEmptyError);
  });

  test("of a damaged, missing or half-copied backup leaves the folder empty", async () => {
    const { file } = await sample();
    const whole = await readFile(file);
    const [damaged, half, directory] = [newPlace(), newPlace(), newPlace()];
    const spoiled = Buffer.from(whole);
    spoiled.fill(0, 16_384, 24_576);
    await writeFile(damaged, spoiled);
    await writeFile(half, whole.subarray(0, whole.length / 2));
    await expect(restoreBackup({ file: damaged, directory })).rejects.toThrow(DataDamagedError);
    await expect(restoreBackup({ file: half, directory })).rejects.toThrow(DataDamagedError);
    await expect(restoreBackup({ file: newPlace(), directory })).rejects.toThrow(DataMissingError);
    await expect(readdir(directory)).rejects.toThrow("no such file or directory");
  });

  test("and a backup are for the eyes of their owner only", async () => {
    const { file, directory: source } = await sample();
    const directory = newPlace();
    await restoreBackup({ file, directory });
    const paths = [file, directory, join(directory, "data.mdb"), source, join(source, "data.mdb")];
    const modes = await Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
    expect(modes).toEqual(["600", "700", "600", "700", "600"]);
  });

  test("leaves nothing behind beside its files", async () => {
    const { file } = await sample();
    const directory = newPlace();
    await restoreBackup({ file, directory });
    expect(await readdir(directory)).toEqual(["data.mdb"]);
    expect((await readdir(scratch)).filter((name) => name.includes("partial"))).toEqual([]);
  });
});

async function sample(): Promise<{ readonly file: string; readonly directory: string }> {
  const [file, directory] = [newPlace(), newPlace()];
  const store = await openLmdbStore({ directory });
  await create(store, ...Array.from({ length: 50 }, (_, index) => machine(`m${index}`)));
  await store.backup(file);
  await store.close();
  return { file, directory };
}
