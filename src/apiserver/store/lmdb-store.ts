import type { RootDatabase } from "lmdb";
import { writeBackup } from "./backup-file.ts";
import { type CheckedMutation, checkBatch } from "./batch-check.ts";
import { CommitFailedError, DataDamagedError, StoreUnavailableError } from "./errors.ts";
import type { FolderLock } from "./folder-lock.ts";
import { behind, decodeKey, encodeKey, encodePrefix, endOfPrefix } from "./key-codec.ts";
import { decodeMeta, encodeMetaNumber, metaKeys, openDataFile, type StoreMeta, type Tables } from "./layout.ts";
import {
  decodeRecord,
  encodePair,
  encodeRecord,
  encodeRevision,
  readRevision,
  recordLength,
  revisionLength,
} from "./record-codec.ts";
import { checkKept, stateAt } from "./state-at.ts";
import type {
  CompactOptions,
  ExpiredObject,
  Mutation,
  RangeOptions,
  Revision,
  Store,
  StoredRecord,
  StoreKey,
  StorePrefix,
} from "./store.ts";

const nothing = Buffer.alloc(0);
const compactionStep = 500;

/** A store in a data file that has been checked. */
export class LmdbStore implements Store {
  readonly clusterUid: string;
  readonly #file: string;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #tables: Tables;
  /** Absent when the store is for reading only. */
  readonly #lock: FolderLock | undefined;
  /** Heads of commits under way, 0 for deleted ones. */
  readonly #pending = new Map<string, Revision>();
  readonly #expiries = new Map<Revision, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  #submitted: Revision;
  #revision: Revision;
  #compacted: Revision;
  #failure: CommitFailedError | undefined;
  #closed = false;

  constructor(file: string, { meta, lock }: { readonly meta?: StoreMeta; readonly lock?: FolderLock }) {
    this.#file = file;
    this.#lock = lock;
    const { root, tables } = openDataFile(file, { readOnly: lock === undefined });
    this.#root = root;
    this.#tables = tables;
    const { clusterUid, revision, compacted } = meta ?? this.#readMeta();
    this.clusterUid = clusterUid;
    this.#submitted = this.#revision = revision;
    this.#compacted = compacted;
    for (const { key } of tables.ttl.getRange({}))
      this.#expiries.set(readRevision(key, revisionLength), readRevision(key));
  }

  get revision(): Revision {
    return this.#lock === undefined && !this.#closed ? this.#readMeta().revision : this.#revision;
  }

  get compacted(): Revision {
    return this.#lock === undefined && !this.#closed ? this.#readMeta().compacted : this.#compacted;
  }

  async commit(batch: readonly Mutation[]): Promise<void> {
    this.#checkWritable();
    if (batch.length === 0) return;
    const checked = checkBatch(batch, {
      revision: this.#submitted,
      head: (key, text) => this.#pending.get(text) ?? this.#headRevision(key),
    });
    this.#submitted += batch.length;
    const last = this.#submitted;
    for (const { mutation, text } of checked) this.#pending.set(text, mutation.op === "delete" ? 0 : mutation.revision);
    await this.#flush(() => this.#write(checked, last));
    this.#revision = last;
    for (const { mutation, text } of checked) {
      const staged = mutation.op === "delete" ? 0 : mutation.revision;
      if (this.#pending.get(text) === staged) this.#pending.delete(text);
    }
  }

  get(key: StoreKey): StoredRecord | undefined {
    this.#checkOpen();
    const head = this.#tables.head.getBinary(encodeKey(key));
    return head === undefined ? undefined : this.#version(head);
  }

  range(prefix: StorePrefix, { after, limit }: RangeOptions = {}): Iterable<StoredRecord> {
    this.#checkOpen();
    const first = encodePrefix(prefix);
    const end = endOfPrefix(first);
    const afterKey = after === undefined ? first : behind(encodeKey(after));
    const start = Buffer.compare(afterKey, first) > 0 ? afterKey : first;
    return this.#heads({ start, end, ...(limit === undefined ? {} : { limit }) });
  }

  heads(): Iterable<StoredRecord> {
    this.#checkOpen();
    return this.#heads({});
  }

  historyFrom(after: Revision): Iterable<StoredRecord> {
    this.#checkOpen();
    checkKept(after, this);
    return this.#historyFrom(after);
  }

  at(revision: Revision, prefix: StorePrefix): Iterable<StoredRecord> {
    this.#checkOpen();
    checkKept(revision, this);
    return stateAt(revision, prefix, {
      range: (...parameters) => this.range(...parameters),
      historyFrom: (after) => this.#historyFrom(after),
      version: (wanted) => this.#version(encodeRevision(wanted)),
    });
  }

  async compact(to: Revision, { step = compactionStep, signal }: CompactOptions = {}): Promise<void> {
    this.#checkWritable();
    if (to > this.#compacted) {
      checkKept(to, this);
      // First, so that nobody asks for history that is about to go.
      this.#compacted = to;
      await this.#flush(() =>
        this.#root.batch(() => {
          void this.#tables.meta.put(metaKeys.compacted, encodeMetaNumber(metaKeys.compacted, to));
        }),
      );
    }
    const end = encodePair(this.#compacted + 1, 0);
    for (;;) {
      signal?.throwIfAborted();
      this.#checkWritable();
      const dead = [...this.#tables.dead.getKeys({ end, limit: step })];
      if (dead.length === 0) return;
      await this.#flush(() => this.#forget(dead));
    }
  }

  *expired(now: number): Generator<ExpiredObject> {
    this.#checkOpen();
    for (const { key, value } of this.#tables.ttl.getRange({ end: encodePair(now + 1, 0) }))
      yield { key: this.#decodeKey(value), revision: readRevision(key, revisionLength) };
  }

  async backup(file: string): Promise<void> {
    this.#checkOpen();
    // Free pages are copied too: LMDB's compacting copy numbers transactions anew, except in the pages of large values,
    // and would later refuse to replace those.
    await this.#track(writeBackup(file, (path) => this.#root.backup(path, false)));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    await this.#root.close();
    await this.#lock?.release();
  }

  #write(checked: readonly CheckedMutation[], last: Revision): Promise<boolean> {
    const { meta, log, head, dead, ttl } = this.#tables;
    const total = checked.reduce((sum, { key, mutation }) => sum + recordLength(key, mutation.value), 0);
    // One piece of memory for all records: LMDB asks for the address of each piece, which costs more than the copy.
    const buffer = Buffer.allocUnsafeSlow(total);
    let offset = 0;
    return this.#root.batch(() => {
      for (const { mutation, key } of checked) {
        const { op, previous, revision, expires } = mutation;
        const record = encodeRecord(mutation, key, { buffer, offset });
        offset += record.revision.length + record.value.length;
        void log.put(record.revision, record.value);
        if (previous !== 0) void dead.put(encodePair(revision, previous), nothing);
        if (op === "delete") {
          void dead.put(encodePair(revision, revision), nothing);
          void head.remove(key);
        } else {
          void head.put(key, record.revision);
        }
        const replaced = this.#expiries.get(previous);
        if (replaced !== undefined) {
          this.#expiries.delete(previous);
          void ttl.remove(encodePair(replaced, previous));
        }
        if (expires !== undefined && op !== "delete") {
          this.#expiries.set(revision, expires);
          void ttl.put(encodePair(expires, revision), key);
        }
      }
      void meta.put(metaKeys.revision, encodeMetaNumber(metaKeys.revision, last));
    });
  }

  #forget(dead: readonly Buffer[]): Promise<boolean> {
    return this.#root.batch(() => {
      for (const key of dead) {
        void this.#tables.log.remove(key.subarray(revisionLength));
        void this.#tables.dead.remove(key);
      }
    });
  }

  /** Runs a write; once one has failed, no other is tried. */
  async #flush(write: () => Promise<boolean>): Promise<void> {
    try {
      await this.#track(write());
    } catch (error) {
      this.#failure ??= new CommitFailedError(`failed to write ${this.#file}`, { cause: await commitCause(error) });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  *#heads(range: { readonly start?: Buffer; readonly end?: Buffer; readonly limit?: number }): Generator<StoredRecord> {
    for (const { value } of this.#tables.head.getRange(range)) yield this.#version(value);
  }

  *#historyFrom(after: Revision): Generator<StoredRecord> {
    for (const { key, value } of this.#tables.log.getRange({ start: encodeRevision(after + 1) }))
      yield this.#decode(key, value);
  }

  #version(revision: Buffer): StoredRecord {
    return this.#decode(revision, this.#tables.log.getBinary(revision));
  }

  #decode(revision: Buffer, value: Buffer | undefined): StoredRecord {
    const record = value === undefined ? undefined : decodeRecord(revision, value);
    if (record === undefined)
      throw new DataDamagedError(
        this.#file,
        `the record of revision ${readRevision(revision)} does not match its checksum`,
      );
    return record;
  }

  #decodeKey(bytes: Buffer): StoreKey {
    const key = decodeKey(bytes);
    if (key === undefined) throw new DataDamagedError(this.#file, "a key is unreadable");
    return key;
  }

  #headRevision(key: Buffer): Revision {
    const head = this.#tables.head.getBinary(key);
    return head === undefined ? 0 : readRevision(head);
  }

  #readMeta(): StoreMeta {
    const meta = decodeMeta((name) => this.#tables.meta.getBinary(name));
    if (meta === undefined) throw new DataDamagedError(this.#file, "its counters are unreadable");
    return meta;
  }

  #checkWritable(): void {
    this.#checkOpen();
    if (this.#lock === undefined) throw new StoreUnavailableError(`${this.#file} was opened for reading only`);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreUnavailableError("the store is closed");
  }
}

/** LMDB hands out the reason of a failed commit as a promise of its own, which would go unhandled. */
async function commitCause(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !("commitError" in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}
