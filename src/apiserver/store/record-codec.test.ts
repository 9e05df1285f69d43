import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeKey } from "./key-codec.ts";
import { decodeRecord, encodeRecord, encodeRevision, readRevision, recordLength } from "./record-codec.ts";
import type { StoredRecord } from "./store.ts";

const anyRevision = fc.nat({ max: Number.MAX_SAFE_INTEGER });

const anyRecord: fc.Arbitrary<StoredRecord> = fc.record({
  key: fc.record({ group: fc.string(), resource: fc.string(), namespace: fc.string(), name: fc.string() }),
  op: fc.constantFrom("create", "update", "delete"),
  revision: anyRevision,
  previous: anyRevision,
  value: fc.json(),
});

test("a record is read back as it was written", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const { revision, value } = encode(record);
      expect(decodeRecord(revision, value)).toEqual(record);
    }),
  );
});

test("a record with one bit changed, cut short, or under another revision is not read", () => {
  fc.assert(
    fc.property(anyRecord, fc.nat(), fc.nat({ max: 7 }), (record, at, bit) => {
      const { revision, value } = encode(record);
      const spoiled = Buffer.from(value);
      spoiled[at % value.length] = (spoiled[at % value.length] ?? 0) ^ (1 << bit);
      expect(decodeRecord(revision, spoiled)).toBeUndefined();
      expect(decodeRecord(revision, value.subarray(0, at % value.length))).toBeUndefined();
      expect(decodeRecord(encodeRevision(record.revision === 0 ? 1 : record.revision - 1), value)).toBeUndefined();
    }),
  );
});

test("revisions sort as bytes as they do as numbers", () => {
  fc.assert(
    fc.property(anyRevision, anyRevision, (a, b) => {
      expect(readRevision(encodeRevision(a))).toBe(a);
      expect(Buffer.compare(encodeRevision(a), encodeRevision(b))).toBe(Math.sign(a - b));
    }),
  );
});

function encode(record: StoredRecord): { readonly revision: Buffer; readonly value: Buffer } {
  const key = encodeKey(record.key);
  return encodeRecord(record, key, { buffer: Buffer.alloc(recordLength(key, record.value)), offset: 0 });
}
