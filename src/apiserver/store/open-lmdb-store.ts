import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { publishFile } from "./backup-file.ts";
import { checkDataFile } from "./data-check.ts";
import { makeDataFolder } from "./data-folder.ts";
import { DataMissingError } from "./errors.ts";
import { folderOwner, lockFolder } from "./folder-lock.ts";
import { LmdbStore } from "./lmdb-store.ts";
import { removeLmdbLock, writeDataFile } from "./new-data-file.ts";
import type { Store } from "./store.ts";

export interface LmdbStoreOptions {
  /** Made when it does not exist. */
  readonly directory: string;
  /** Only looks, without the lock: also while another process serves from the folder. */
  readonly readOnly?: boolean;
  /** The uid of a new cluster; made up when left out. */
  readonly clusterUid?: string;
}

/** The data file in a data folder. */
export function dataFileIn(directory: string): string {
  return join(directory, "data.mdb");
}

/**
 * Opens the store in a folder, or begins one there. The whole file is checked first: what is damaged, newer than this
 * program or in use by another process is refused.
 */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  return options.readOnly === true ? openForReading(options.directory) : openForWriting(options);
}

async function openForWriting({ directory, clusterUid = randomUUID() }: LmdbStoreOptions): Promise<Store> {
  await makeDataFolder(directory);
  const lock = await lockFolder(directory);
  try {
    const file = dataFileIn(directory);
    if (!existsSync(file)) {
      // Made elsewhere and moved here: an empty or short file in this place is always a damaged one.
      const fresh = `${file}.new`;
      await rm(fresh, { force: true });
      await removeLmdbLock(fresh);
      await writeDataFile(fresh, { clusterUid, revision: 0, objects: [] });
      await publishFile(fresh, file);
    }
    const meta = checkDataFile(file);
    return new LmdbStore(file, { meta, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openForReading(directory: string): Promise<Store> {
  const file = dataFileIn(directory);
  if (!existsSync(file)) throw new DataMissingError(file);
  // Who serves from the folder has checked the file, and it changes while we would look.
  if ((await folderOwner(directory)) === undefined) checkDataFile(file);
  return new LmdbStore(file, {});
}
