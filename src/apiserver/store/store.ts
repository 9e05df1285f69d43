/** Where an object is kept; the namespace of cluster-scoped objects is "". */
export interface StoreKey {
  readonly group: string;
  /** The plural, such as `machines`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The one counter behind every resourceVersion: 1 for the first write, one more for each object written. */
export type Revision = number;

export type Operation = "create" | "update" | "delete";

/** One version of one object, as the history holds it. */
export interface StoredRecord {
  readonly key: StoreKey;
  readonly op: Operation;
  readonly revision: Revision;
  /** The version that this one replaced; 0 after a create. */
  readonly previous: Revision;
  /** Storage-version JSON; of a delete the last content, carrying the new revision. */
  readonly value: string;
}

/** One write to commit. */
export interface Mutation extends StoredRecord {
  /** When the object may be removed, in milliseconds since 1970; none for what stays. */
  readonly expires?: number;
}

/** A resource, in all namespaces or in one. */
export interface StorePrefix {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

/** An object whose time has come, in the version that was to last so long. */
export interface ExpiredObject {
  readonly key: StoreKey;
  readonly revision: Revision;
}

export interface RangeOptions {
  /** Begins behind this key, whether or not it exists. */
  readonly after?: StoreKey;
  readonly limit?: number;
}

export interface CompactOptions {
  /** How many records go in one transaction, so that writers never wait long; 500 unless told otherwise. */
  readonly step?: number;
  /** Stops between two transactions; the next compaction takes up the rest. */
  readonly signal?: AbortSignal;
}

/**
 * All objects and their history, durably.
 *
 * What is read is always durable; while a commit is about to resolve it can be one commit ahead of `revision`.
 * Iterables are lazy and hold a snapshot: walk them to the end (or break) without awaiting in between.
 */
export interface Store {
  /** Made when the store was new, and kept over restarts, backups and restores. */
  readonly clusterUid: string;
  /** The newest durable revision; 0 in a new store. */
  readonly revision: Revision;
  /** History at or below it is gone; the state at it can still be listed. */
  readonly compacted: Revision;
  /**
   * Writes all of it or nothing, and resolves when it is on the disk. Commits may overlap and keep their order.
   * An InvalidBatchError leaves the store as it was; after any other error its state is unknown and the process must end.
   */
  commit(batch: readonly Mutation[]): Promise<void>;
  /** The newest version of an object that exists. */
  get(key: StoreKey): StoredRecord | undefined;
  /** The objects of a resource, by namespace, then name, in the order of their UTF-8 bytes. */
  range(prefix: StorePrefix, options?: RangeOptions): Iterable<StoredRecord>;
  /** Every object that exists, by group, resource, namespace, name. */
  heads(): Iterable<StoredRecord>;
  /** Everything written after a revision, in order; throws a CompactedError when part of that is gone. */
  historyFrom(after: Revision): Iterable<StoredRecord>;
  /** The objects of a resource as they were at a revision, in the order of `range`. */
  at(revision: Revision, prefix: StorePrefix): Iterable<StoredRecord>;
  /** Forgets the versions that were replaced at or before a revision, step by step between normal commits. */
  compact(to: Revision, options?: CompactOptions): Promise<void>;
  /** The objects whose time has come, soonest first. */
  expired(now: number): Iterable<ExpiredObject>;
  /** Writes a checked copy of the store to a file, while it goes on serving. */
  backup(file: string): Promise<void>;
  /** Waits for the commits under way, then lets go of everything. */
  close(): Promise<void>;
}
