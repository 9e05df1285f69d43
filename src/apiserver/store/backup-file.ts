import { chmod, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { checkDataFile } from "./data-check.ts";
import type { StoreMeta } from "./layout.ts";

/** Has a file written beside its place, checks it, and only then lets it appear: half a file never looks whole. */
export async function writeBackup(file: string, write: (path: string) => Promise<void>): Promise<StoreMeta> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await write(partial);
    const meta = checkDataFile(partial);
    await publishFile(partial, file);
    return meta;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Gives a file that is complete its name, in such a way that a power failure leaves it whole or absent. */
export async function publishFile(partial: string, file: string): Promise<void> {
  // It holds every Secret of the cluster.
  await chmod(partial, 0o600);
  await syncPath(partial);
  await rename(partial, file);
  await syncPath(dirname(file));
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
