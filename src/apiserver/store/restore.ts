import { constants } from "node:fs";
import { copyFile, readdir, rm } from "node:fs/promises";
import { publishFile } from "./backup-file.ts";
import { checkDataFile } from "./data-check.ts";
import { makeDataFolder } from "./data-folder.ts";
import { FolderNotEmptyError } from "./errors.ts";
import { isLockFile, lockFolder } from "./folder-lock.ts";
import { encodeMetaNumber, metaKeys, openDataFile } from "./layout.ts";
import { removeLmdbLock } from "./new-data-file.ts";
import { dataFileIn } from "./open-lmdb-store.ts";
import type { Revision } from "./store.ts";

// Clients may have seen revisions that were written after the backup; none of them may ever be given out again.
const revisionGap = 1_000_000;

/** What a restore brought back. */
export interface Restored {
  /** The revision of the backup. */
  readonly from: Revision;
  /** The revision at which the restored store stands; no history is kept below it, so that every client lists anew. */
  readonly revision: Revision;
}

/** Puts a backup into a new or empty folder, after checking it; the folder has all of it or nothing. */
export async function restoreBackup(options: { readonly file: string; readonly directory: string }): Promise<Restored> {
  const { file, directory } = options;
  const { revision } = checkDataFile(file);
  await makeDataFolder(directory);
  if ((await readdir(directory)).length > 0) throw new FolderNotEmptyError(directory);
  const lock = await lockFolder(directory);
  const data = dataFileIn(directory);
  const partial = `${data}.new`;
  try {
    // Looked at again, because another process may have had the folder in between.
    if ((await readdir(directory)).some((name) => !isLockFile(name))) throw new FolderNotEmptyError(directory);
    await copyFile(file, partial, constants.COPYFILE_EXCL);
    await moveOn(partial, revision + revisionGap);
    checkDataFile(partial);
    await publishFile(partial, data);
    return { from: revision, revision: revision + revisionGap };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

async function moveOn(path: string, revision: Revision): Promise<void> {
  const { root, tables } = openDataFile(path);
  try {
    await root.batch(() => {
      void tables.meta.put(metaKeys.revision, encodeMetaNumber(metaKeys.revision, revision));
      void tables.meta.put(metaKeys.compacted, encodeMetaNumber(metaKeys.compacted, revision));
    });
  } finally {
    await root.close();
    await removeLmdbLock(path);
  }
}
