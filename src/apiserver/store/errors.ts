import { CapstanError } from "#base";

/** Another process serves from this data folder. */
export class DataLockedError extends CapstanError {
  readonly code = "DATA_LOCKED";

  constructor(directory: string, pid: number) {
    super(`data folder ${directory} is in use by process ${pid}`);
  }
}

/** The data folder was written by a later version of this program. */
export class DataNewerError extends CapstanError {
  readonly code = "DATA_NEWER";

  constructor(file: string, versions: { readonly found: number; readonly known: number }) {
    super(`${file} has data format ${versions.found}, and this version reads formats up to ${versions.known}`);
  }
}

/** A data file or backup is not what was written; it is never repaired silently. */
export class DataDamagedError extends CapstanError {
  readonly code = "DATA_DAMAGED";

  constructor(file: string, problem: string, options?: { readonly cause?: unknown }) {
    super(`${file} is damaged: ${problem}`, options);
  }
}

/** There is no data where some was to be read. */
export class DataMissingError extends CapstanError {
  readonly code = "DATA_MISSING";

  constructor(file: string, options?: { readonly cause?: unknown }) {
    super(`${file} does not exist`, options);
  }
}

/** The data folder cannot be used at all: no permission, no space, no such kind of file. */
export class DataFolderError extends CapstanError {
  readonly code = "DATA_FOLDER";
}

/** A restore never overwrites anything. */
export class FolderNotEmptyError extends CapstanError {
  readonly code = "DATA_FOLDER_NOT_EMPTY";

  constructor(directory: string) {
    super(`data folder ${directory} is not empty: a backup is restored into a new folder only`);
  }
}

/** A backup takes the place of another file only when that is asked for. */
export class BackupExistsError extends CapstanError {
  readonly code = "BACKUP_EXISTS";

  constructor(file: string) {
    super(`${file} exists already: --force replaces it`);
  }
}

/** A key that cannot be stored: too long, or no well-formed text. */
export class InvalidKeyError extends CapstanError {
  readonly code = "INVALID_STORE_KEY";
}

/** A batch that contradicts what is stored; nothing of it was written. */
export class InvalidBatchError extends CapstanError {
  readonly code = "INVALID_STORE_BATCH";
}

/** A commit did not reach the disk, so what is stored is no longer known. */
export class CommitFailedError extends CapstanError {
  readonly code = "COMMIT_FAILED";
  override readonly terminal = true;
}

/** The revision asked for is older than what is kept. */
export class CompactedError extends CapstanError {
  readonly code = "REVISION_COMPACTED";

  constructor(revision: number, compacted: number) {
    super(`revision ${revision} is gone: history is kept from revision ${compacted} on`);
  }
}

/** The revision asked for has not been written yet. */
export class FutureRevisionError extends CapstanError {
  readonly code = "REVISION_IN_FUTURE";

  constructor(revision: number, newest: number) {
    super(`revision ${revision} does not exist yet: the newest is ${newest}`);
  }
}

/** The store was closed, or opened for reading only. */
export class StoreUnavailableError extends CapstanError {
  readonly code = "STORE_UNAVAILABLE";
}
