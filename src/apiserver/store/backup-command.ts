import { existsSync } from "node:fs";
import { CapstanError, describeError } from "#base";
import { BackupExistsError } from "./errors.ts";
import { openLmdbStore } from "./open-lmdb-store.ts";
import { restoreBackup } from "./restore.ts";

/** Where a command writes, one line at a time. */
export interface CommandIo {
  out(line: string): void;
  err(line: string): void;
}

export interface BackupCommandOptions {
  /** The data folder. */
  readonly data: string;
  /** The backup. */
  readonly file: string;
}

interface Replacing {
  /** True to replace a file that is there already. */
  readonly force?: boolean | undefined;
}

/** `capstan backup --data DIR FILE`: copies a data folder, also while it is served; returns the exit code. */
export async function runBackup(options: BackupCommandOptions & Replacing, io: CommandIo): Promise<number> {
  const { data, file, force = false } = options;
  return reporting(io, async () => {
    if (!force && existsSync(file)) throw new BackupExistsError(file);
    const store = await openLmdbStore({ directory: data, readOnly: true });
    try {
      await store.backup(file);
    } finally {
      await store.close();
    }
    io.out(`backed up ${data} to ${file}`);
  });
}

/** `capstan restore --data DIR FILE`: puts a backup into a new data folder; returns the exit code. */
export async function runRestore({ data, file }: BackupCommandOptions, io: CommandIo): Promise<number> {
  return reporting(io, async () => {
    const { from, revision } = await restoreBackup({ directory: data, file });
    io.out(`restored ${file} to ${data}: revision ${from} goes on as ${revision}`);
  });
}

async function reporting(io: CommandIo, run: () => Promise<void>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (!(error instanceof CapstanError) && !isSystemError(error)) throw error;
    io.err(describeError(error));
    return 1;
  }
}

/** What the file system says: no permission, no space, no such folder. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
