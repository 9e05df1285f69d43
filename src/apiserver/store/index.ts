export { type BackupCommandOptions, type CommandIo, runBackup, runRestore } from "./backup-command.ts";
export { checkDataFile } from "./data-check.ts";
export { makeDataFolder } from "./data-folder.ts";
export {
  BackupExistsError,
  CommitFailedError,
  CompactedError,
  DataDamagedError,
  DataFolderError,
  DataLockedError,
  DataMissingError,
  DataNewerError,
  FolderNotEmptyError,
  FutureRevisionError,
  InvalidBatchError,
  InvalidKeyError,
  StoreUnavailableError,
} from "./errors.ts";
export type { StoreMeta } from "./layout.ts";
export { type MemoryStoreOptions, openMemoryStore } from "./memory-store.ts";
export { dataFileIn, type LmdbStoreOptions, openLmdbStore } from "./open-lmdb-store.ts";
export { type Restored, restoreBackup } from "./restore.ts";
export type {
  CompactOptions,
  ExpiredObject,
  Mutation,
  Operation,
  RangeOptions,
  Revision,
  Store,
  StoredRecord,
  StoreKey,
  StorePrefix,
} from "./store.ts";
