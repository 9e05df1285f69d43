import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DataFolderError } from "./errors.ts";

/** Makes a data folder with those above it, for its owner alone; one that is there stays as it is. */
export async function makeDataFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory);
  } catch (error) {
    throw new DataFolderError(`failed to create data folder ${directory}`, { cause: error });
  }
}

/** One by one: where a file system takes no folders, such as /proc, the platform's recursive way never comes back. */
async function makeFolder(directory: string): Promise<void> {
  const parent = dirname(directory);
  if ((await isMade(directory)) || parent === directory) return;
  await makeFolder(parent);
  if (!(await isMade(directory))) await mkdir(directory, { mode: 0o700 });
}

/** False where a folder above is missing. */
async function isMade(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    if (codeOf(error) === "EEXIST" && (await stat(directory)).isDirectory()) return true;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
