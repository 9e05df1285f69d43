import { randomUUID } from "node:crypto";
import { checkBatch, type CheckedMutation } from "./batch-check.ts";
import { writeBackup } from "./backup-file.ts";
import { StoreUnavailableError } from "./errors.ts";
import { encodeKey, encodePrefix, endOfPrefix, keyText } from "./key-codec.ts";
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
import { writeDataFile } from "./new-data-file.ts";

export interface MemoryStoreOptions {
  /** Made up when left out. */
  readonly clusterUid?: string;
}

/** A store that lasts as long as the process, for tests and for clusters that are themselves simulated. */
export function openMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore(options.clusterUid ?? randomUUID());
}

class MemoryStore implements Store {
  readonly clusterUid: string;
  readonly #heads = new Map<string, StoredRecord>();
  readonly #log = new Map<Revision, StoredRecord>();
  readonly #expiries = new Map<Revision, ExpiredObject & { readonly expires: number }>();
  /** What was replaced, and by which revision, oldest first. */
  #dead: { readonly at: Revision; readonly replaced: Revision }[] = [];
  #revision: Revision = 0;
  #compacted: Revision = 0;
  #closed = false;

  constructor(clusterUid: string) {
    this.clusterUid = clusterUid;
  }

  get revision(): Revision {
    return this.#revision;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  async commit(batch: readonly Mutation[]): Promise<void> {
    this.#checkOpen();
    const checked = checkBatch(batch, {
      revision: this.#revision,
      head: (_, text) => this.#heads.get(text)?.revision ?? 0,
    });
    for (const each of checked) this.#apply(each);
  }

  get(key: StoreKey): StoredRecord | undefined {
    this.#checkOpen();
    return this.#heads.get(keyText(encodeKey(key)));
  }

  range(prefix: StorePrefix, { after, limit }: RangeOptions = {}): Iterable<StoredRecord> {
    this.#checkOpen();
    const bytes = encodePrefix(prefix);
    const [start, end] = [keyText(bytes), keyText(endOfPrefix(bytes))];
    const behind = after === undefined ? "" : keyText(encodeKey(after));
    return this.#sortedHeads()
      .filter(([text]) => text >= start && text < end && text > behind)
      .slice(0, limit)
      .map(([, record]) => record);
  }

  heads(): Iterable<StoredRecord> {
    this.#checkOpen();
    return this.#sortedHeads().map(([, record]) => record);
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
      version: (wanted) => this.#version(wanted),
    });
  }

  async compact(to: Revision, { signal }: CompactOptions = {}): Promise<void> {
    this.#checkOpen();
    signal?.throwIfAborted();
    if (to <= this.#compacted) return;
    checkKept(to, this);
    this.#compacted = to;
    for (const { at, replaced } of this.#dead) if (at <= to) this.#log.delete(replaced);
    this.#dead = this.#dead.filter(({ at }) => at > to);
  }

  expired(now: number): Iterable<ExpiredObject> {
    this.#checkOpen();
    return [...this.#expiries.values()]
      .filter(({ expires }) => expires <= now)
      .toSorted((a, b) => a.expires - b.expires || a.revision - b.revision)
      .map(({ key, revision }) => ({ key, revision }));
  }

  async backup(file: string): Promise<void> {
    this.#checkOpen();
    const content = {
      clusterUid: this.clusterUid,
      revision: this.#revision,
      objects: [...this.heads()].map((record) => {
        const expires = this.#expiries.get(record.revision)?.expires;
        return expires === undefined ? record : { ...record, expires };
      }),
    };
    await writeBackup(file, (path) => writeDataFile(path, content));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #apply({ mutation, text }: CheckedMutation): void {
    const { expires, ...record } = mutation;
    const { key, op, previous, revision } = record;
    this.#revision = revision;
    this.#log.set(revision, record);
    this.#expiries.delete(previous);
    if (previous !== 0) this.#dead.push({ at: revision, replaced: previous });
    if (op === "delete") {
      this.#dead.push({ at: revision, replaced: revision });
      this.#heads.delete(text);
      return;
    }
    this.#heads.set(text, record);
    if (expires !== undefined) this.#expiries.set(revision, { key, revision, expires });
  }

  #sortedHeads(): readonly (readonly [string, StoredRecord])[] {
    return [...this.#heads].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  *#historyFrom(after: Revision): Generator<StoredRecord> {
    for (let revision = after + 1; revision <= this.#revision; revision++) yield this.#version(revision);
  }

  #version(revision: Revision): StoredRecord {
    const record = this.#log.get(revision);
    if (record === undefined) throw new StoreUnavailableError(`revision ${revision} was compacted while it was read`);
    return record;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreUnavailableError("the store is closed");
  }
}
