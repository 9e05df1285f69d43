import { CompactedError, FutureRevisionError } from "./errors.ts";
import { encodeKey, keyText } from "./key-codec.ts";
import type { Revision, Store, StoredRecord, StorePrefix } from "./store.ts";

/** Throws unless everything after a revision is still there. */
export function checkKept(revision: Revision, store: Pick<Store, "revision" | "compacted">): void {
  if (revision < store.compacted) throw new CompactedError(revision, store.compacted);
  if (revision > store.revision) throw new FutureRevisionError(revision, store.revision);
}

/** The objects of a prefix at an older revision: those of today, with what was written since undone. */
export function* stateAt(
  revision: Revision,
  prefix: StorePrefix,
  store: Pick<Store, "range" | "historyFrom"> & { version(revision: Revision): StoredRecord },
): Generator<StoredRecord> {
  const before = new Map<string, Revision>();
  for (const record of store.historyFrom(revision)) {
    if (!isInPrefix(record, prefix)) continue;
    const text = keyText(encodeKey(record.key));
    if (!before.has(text)) before.set(text, record.previous);
  }
  const undone = [...before].toSorted(([a], [b]) => (a < b ? -1 : 1));
  let next = 0;
  for (const record of store.range(prefix)) {
    const text = before.size === 0 ? "" : keyText(encodeKey(record.key));
    for (; next < undone.length; next++) {
      const [key, previous] = undone[next] ?? ["", 0];
      if (key > text) break;
      if (previous !== 0) yield store.version(previous);
    }
    if (!before.has(text)) yield record;
  }
  for (const [, previous] of undone.slice(next)) if (previous !== 0) yield store.version(previous);
}

function isInPrefix({ key }: StoredRecord, { group, resource, namespace }: StorePrefix): boolean {
  return key.group === group && key.resource === resource && (namespace === undefined || key.namespace === namespace);
}
