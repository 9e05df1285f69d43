import { crc32 } from "node:zlib";
import { open, type Database, type RootDatabase } from "lmdb";
import { encodeRevision, readRevision, revisionLength } from "./record-codec.ts";
import type { Revision } from "./store.ts";

/** The data format this version writes, and the newest it reads. */
export const dataFormat = 1;

/** The names of the tables inside the data file. */
export const tableNames = ["meta", "head", "log", "dead", "ttl"] as const;
export type TableName = (typeof tableNames)[number];

export type Table = Database<Buffer, Buffer>;

/**
 * The tables of an open data file:
 * `meta` name to number or text, `head` key to newest revision, `log` revision to record,
 * `dead` revision of replacement and replaced revision to nothing, `ttl` expiry and revision to key.
 */
export type Tables = Readonly<Record<TableName, Table>>;

/** What `meta` says about the whole store. */
export interface StoreMeta {
  readonly format: number;
  readonly clusterUid: string;
  readonly revision: Revision;
  readonly compacted: Revision;
}

/** The keys of `meta`. */
export const metaKeys = {
  format: Buffer.from("format"),
  clusterUid: Buffer.from("cluster-uid"),
  revision: Buffer.from("rev"),
  compacted: Buffer.from("compacted"),
} as const;

const binary = { encoding: "binary", keyEncoding: "binary" } as const;
const checksumLength = 4;

/** Opens a data file that has been checked, or begins a new one. */
export function openDataFile(
  path: string,
  options: { readonly readOnly?: boolean } = {},
): { readonly root: RootDatabase<Buffer, Buffer>; readonly tables: Tables } {
  const root = open<Buffer, Buffer>(path, {
    ...binary,
    noSubdir: true,
    pageSize: 8192,
    // Without it a commit is flushed before it becomes visible, and its promise resolves after the flush: nobody can
    // read what a power failure would take back. It also costs less CPU, because the registry sends one batch at a time.
    overlappingSync: false,
    // Every commit is one explicit batch, so waiting for the turn to end only adds latency.
    eventTurnBatching: false,
    readOnly: options.readOnly ?? false,
  });
  const table = (name: TableName): Table => root.openDB<Buffer, Buffer>(name, binary);
  return {
    root,
    tables: { meta: table("meta"), head: table("head"), log: table("log"), dead: table("dead"), ttl: table("ttl") },
  };
}

/** Writes one number of `meta`. */
export function encodeMetaNumber(name: Buffer, value: number): Buffer {
  return seal(name, encodeRevision(value));
}

/** Writes one text of `meta`. */
export function encodeMetaText(name: Buffer, value: string): Buffer {
  return seal(name, Buffer.from(value));
}

/** Reads `meta` through a lookup; undefined when an entry is missing or not what was written. */
export function decodeMeta(get: (name: Buffer) => Buffer | undefined): StoreMeta | undefined {
  const number = (name: Buffer): number | undefined => {
    const bytes = unseal(name, get(name));
    return bytes?.length === revisionLength ? readRevision(bytes) : undefined;
  };
  const format = number(metaKeys.format);
  const clusterUid = unseal(metaKeys.clusterUid, get(metaKeys.clusterUid))?.toString();
  const revision = number(metaKeys.revision);
  const compacted = number(metaKeys.compacted);
  if (format === undefined || clusterUid === undefined || revision === undefined || compacted === undefined)
    return undefined;
  return { format, clusterUid, revision, compacted };
}

/** The format alone, because a newer one may keep everything else differently. */
export function decodeFormat(get: (name: Buffer) => Buffer | undefined): number | undefined {
  const bytes = unseal(metaKeys.format, get(metaKeys.format));
  return bytes?.length === revisionLength ? readRevision(bytes) : undefined;
}

function seal(name: Buffer, value: Buffer): Buffer {
  const checksum = Buffer.allocUnsafe(checksumLength);
  checksum.writeUInt32BE(crc32(value, crc32(name)));
  return Buffer.concat([value, checksum]);
}

function unseal(name: Buffer, sealed: Buffer | undefined): Buffer | undefined {
  if (sealed === undefined || sealed.length < checksumLength) return undefined;
  const value = sealed.subarray(0, sealed.length - checksumLength);
  return crc32(value, crc32(name)) === sealed.readUInt32BE(value.length) ? value : undefined;
}
