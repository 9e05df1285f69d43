import { rm } from "node:fs/promises";
import { encodeKey } from "./key-codec.ts";
import { dataFormat, encodeMetaNumber, encodeMetaText, metaKeys, openDataFile } from "./layout.ts";
import { encodePair, encodeRecord, encodeRevision, recordLength } from "./record-codec.ts";
import type { Mutation, Revision } from "./store.ts";

/** What a data file begins with: objects, but no history. */
export interface InitialContent {
  readonly clusterUid: string;
  readonly revision: Revision;
  readonly objects: readonly Mutation[];
}

/** Writes a data file that does not exist yet; it is whole when this resolves, and not before. */
export async function writeDataFile(path: string, { clusterUid, revision, objects }: InitialContent): Promise<void> {
  const { root, tables } = openDataFile(path);
  try {
    await root.batch(() => {
      void tables.meta.put(metaKeys.format, encodeMetaNumber(metaKeys.format, dataFormat));
      void tables.meta.put(metaKeys.clusterUid, encodeMetaText(metaKeys.clusterUid, clusterUid));
      void tables.meta.put(metaKeys.revision, encodeMetaNumber(metaKeys.revision, revision));
      void tables.meta.put(metaKeys.compacted, encodeMetaNumber(metaKeys.compacted, revision));
      for (const object of objects) {
        const key = encodeKey(object.key);
        const buffer = Buffer.allocUnsafeSlow(recordLength(key, object.value));
        const record = encodeRecord(object, key, { buffer, offset: 0 });
        void tables.log.put(record.revision, record.value);
        void tables.head.put(key, encodeRevision(object.revision));
        if (object.expires !== undefined) void tables.ttl.put(encodePair(object.expires, object.revision), key);
      }
    });
  } finally {
    await root.close();
    await removeLmdbLock(path);
  }
}

/** Removes the file in which LMDB counts the readers of another one that is closed. */
export async function removeLmdbLock(path: string): Promise<void> {
  await rm(`${path}-lock`, { force: true });
}
