import { crc32 } from "node:zlib";
import { decodeKey } from "./key-codec.ts";
import type { Operation, Revision, StoredRecord } from "./store.ts";

// A log record: operation (1 byte), previous revision (8), length of the key (2), key, JSON, checksum (4).
// The checksum also covers the revision, which is the record's key in the log.
const operationAt = 0;
const previousAt = 1;
const keyLengthAt = 9;
const keyAt = 11;
const checksumLength = 4;

export const revisionLength = 8;

const codeOf: Readonly<Record<Operation, number>> = { create: 1, update: 2, delete: 3 };
const operationOf: readonly (Operation | undefined)[] = [undefined, "create", "update", "delete"];

/** What one mutation becomes in the log. */
export interface EncodedRecord {
  readonly revision: Buffer;
  readonly value: Buffer;
}

/** How many bytes `encodeRecord` needs at most. */
export function recordLength(key: Buffer, value: string): number {
  return revisionLength + keyAt + key.length + Buffer.byteLength(value) + checksumLength;
}

/** Writes a record to a buffer at an offset; revision and value lie there side by side. */
export function encodeRecord(
  record: StoredRecord,
  key: Buffer,
  into: { readonly buffer: Buffer; readonly offset: number },
): EncodedRecord {
  const { buffer, offset } = into;
  const start = offset + revisionLength;
  writeRevision(buffer, record.revision, offset);
  buffer[start + operationAt] = codeOf[record.op];
  writeRevision(buffer, record.previous, start + previousAt);
  buffer.writeUInt16BE(key.length, start + keyLengthAt);
  buffer.set(key, start + keyAt);
  const end = start + keyAt + key.length + buffer.write(record.value, start + keyAt + key.length, "utf8");
  buffer.writeUInt32BE(crc32(buffer.subarray(offset, end)), end);
  return { revision: buffer.subarray(offset, start), value: buffer.subarray(start, end + checksumLength) };
}

/** Reads a record; undefined when it is not what was written. */
export function decodeRecord(revision: Buffer, value: Buffer): StoredRecord | undefined {
  const parts = splitRecord(revision, value);
  if (parts === undefined) return undefined;
  const key = decodeKey(parts.key);
  if (key === undefined) return undefined;
  const { op, previous, json } = parts;
  return { key, op, revision: readRevision(revision), previous, value: json.toString("utf8") };
}

/** A record whose parts are still bytes, checksum verified; undefined when it is not what was written. */
export function splitRecord(
  revision: Buffer,
  value: Buffer,
): { readonly op: Operation; readonly previous: Revision; readonly key: Buffer; readonly json: Buffer } | undefined {
  const end = value.length - checksumLength;
  if (revision.length !== revisionLength || end < keyAt) return undefined;
  if (crc32(value.subarray(0, end), crc32(revision)) !== value.readUInt32BE(end)) return undefined;
  const op = operationOf[value[operationAt] ?? 0];
  const keyEnd = keyAt + value.readUInt16BE(keyLengthAt);
  if (op === undefined || keyEnd > end) return undefined;
  const previous = readRevision(value.subarray(previousAt, keyLengthAt));
  return { op, previous, key: value.subarray(keyAt, keyEnd), json: value.subarray(keyEnd, end) };
}

/** A revision, or a time in milliseconds, as eight bytes that sort as numbers do. */
export function encodeRevision(revision: Revision): Buffer {
  const bytes = Buffer.allocUnsafe(revisionLength);
  writeRevision(bytes, revision, 0);
  return bytes;
}

/** Two numbers, the first one counting for more. */
export function encodePair(first: number, second: number): Buffer {
  const bytes = Buffer.allocUnsafe(2 * revisionLength);
  writeRevision(bytes, first, 0);
  writeRevision(bytes, second, revisionLength);
  return bytes;
}

export function readRevision(bytes: Buffer, offset = 0): Revision {
  return bytes.readUInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4);
}

function writeRevision(buffer: Buffer, revision: Revision, offset: number): void {
  buffer.writeUInt32BE(Math.floor(revision / 2 ** 32), offset);
  buffer.writeUInt32BE(revision % 2 ** 32, offset + 4);
}
