import { describeError } from "#base";
import { DataDamagedError, DataMissingError, DataNewerError } from "./errors.ts";
import { keyText } from "./key-codec.ts";
import { dataFormat, decodeFormat, decodeMeta, type StoreMeta, type TableName, tableNames } from "./layout.ts";
import { PageFile, type Tree } from "./page-file.ts";
import { readRevision, revisionLength, splitRecord } from "./record-codec.ts";
import type { Operation, Revision } from "./store.ts";

/**
 * Reads a whole data file or backup that nobody writes to, and throws unless everything in it is sound:
 * every page, every checksum, and that counter, heads, history, replaced versions and expiries agree.
 */
export function checkDataFile(path: string): StoreMeta {
  let pages: PageFile | undefined;
  try {
    pages = new PageFile(path);
    return checkTables(path, pages);
  } catch (error) {
    if (error instanceof DataDamagedError || error instanceof DataNewerError) throw error;
    if (isMissing(error)) throw new DataMissingError(path, { cause: error });
    // A number read from a damaged page can point anywhere, also outside the buffer at hand.
    if (error instanceof RangeError) throw new DataDamagedError(path, describeError(error), { cause: error });
    throw error;
  } finally {
    pages?.close();
  }
}

function checkTables(path: string, pages: PageFile): StoreMeta {
  const trees = new Map<string, Tree>();
  for (const { key, value, isTree } of pages.entries(pages.mainTree)) {
    if (!isTree) throw pages.damaged(`it has an entry ${JSON.stringify(key.toString())} outside all tables`);
    // LMDB ends such names with a zero byte where it takes them as texts.
    trees.set(key.toString().replace(/\0$/, ""), pages.readTree(value));
  }
  const table = (name: TableName): Tree => {
    const tree = trees.get(name);
    if (tree === undefined) throw pages.damaged(`it has no table ${name}`);
    return tree;
  };
  const meta = checkMeta(path, pages, table("meta"));
  const history = checkLog(pages, table("log"), meta);
  checkHeads(pages, table("head"), history);
  checkDead(pages, table("dead"), { meta, replaced: history.replaced });
  checkExpiries(pages, table("ttl"), history);
  const unknown = [...trees.keys()].find((name) => !tableNames.some((known) => known === name));
  if (unknown !== undefined) throw pages.damaged(`it has a table ${JSON.stringify(unknown)} of no known use`);
  pages.checkFreePages();
  return meta;
}

function checkMeta(path: string, pages: PageFile, tree: Tree): StoreMeta {
  const entries = new Map<string, Buffer>();
  for (const { key, value } of pages.entries(tree)) entries.set(key.toString(), value);
  const get = (name: Buffer): Buffer | undefined => entries.get(name.toString());
  const format = decodeFormat(get);
  if (format !== undefined && format > dataFormat) throw new DataNewerError(path, { found: format, known: dataFormat });
  const meta = decodeMeta(get);
  if (meta === undefined) throw pages.damaged("its counters are unreadable");
  if (meta.compacted > meta.revision) throw pages.damaged("more history is gone than was written");
  return meta;
}

/** What the log says about the other tables. */
interface History {
  /** The newest version of each key that the log knows, deleted ones included. */
  readonly newest: ReadonlyMap<string, { readonly revision: Revision; readonly op: Operation }>;
  /** Revision of replacement and replaced revision in turn, for all of the kept history. */
  readonly replaced: readonly Revision[];
}

function checkLog(pages: PageFile, tree: Tree, meta: StoreMeta): History {
  const newest = new Map<string, { revision: Revision; op: Operation }>();
  const replaced: Revision[] = [];
  let next = meta.compacted + 1;
  for (const { key: bytes, value } of pages.entries(tree)) {
    const record = splitRecord(bytes, value);
    if (record === undefined) throw pages.damaged("a record of its history does not match its checksum");
    const revision = readRevision(bytes);
    if (revision > meta.compacted && revision !== next++) throw pages.damaged(`its history lacks revision ${next - 1}`);
    const key = keyText(record.key);
    const before = newest.get(key);
    newest.set(key, { revision, op: record.op });
    if (revision <= meta.compacted) continue;
    const exists = before !== undefined && before.op !== "delete" ? before.revision : 0;
    if (record.previous !== exists || (record.op === "create") !== (exists === 0))
      throw pages.damaged(`revision ${revision} does not follow from what was before it`);
    if (record.previous !== 0) replaced.push(revision, record.previous);
    if (record.op === "delete") replaced.push(revision, revision);
  }
  if (next !== meta.revision + 1) throw pages.damaged(`its history lacks revision ${next}`);
  return { newest, replaced };
}

function checkHeads(pages: PageFile, tree: Tree, { newest }: History): void {
  let count = 0;
  for (const { key, value } of pages.entries(tree)) {
    const expected = newest.get(keyText(key));
    if (expected === undefined || expected.op === "delete" || readExact(pages, value) !== expected.revision)
      throw pages.damaged("an object and its history disagree");
    count++;
  }
  const living = [...newest.values()].filter(({ op }) => op !== "delete").length;
  if (living !== count) throw pages.damaged(`it has ${count} objects and should have ${living}`);
}

function checkDead(
  pages: PageFile,
  tree: Tree,
  { meta, replaced }: { readonly meta: StoreMeta; readonly replaced: readonly Revision[] },
): void {
  let at = 0;
  for (const { key } of pages.entries(tree)) {
    if (key.length !== 2 * revisionLength) throw pages.damaged("its list of replaced versions is unreadable");
    // What an interrupted compaction left over is taken up by the next one.
    if (readRevision(key) <= meta.compacted) continue;
    if (readRevision(key) !== replaced[at++] || readRevision(key, revisionLength) !== replaced[at++])
      throw pages.damaged("its list of replaced versions and its history disagree");
  }
  if (at !== replaced.length) throw pages.damaged("its list of replaced versions is too short");
}

function checkExpiries(pages: PageFile, tree: Tree, { newest }: History): void {
  for (const { key, value } of pages.entries(tree)) {
    const head = newest.get(keyText(value));
    const matches = key.length === 2 * revisionLength && head?.revision === readRevision(key, revisionLength);
    if (!matches || head.op === "delete") throw pages.damaged("its list of expiries and its objects disagree");
  }
}

function readExact(pages: PageFile, value: Buffer): Revision {
  if (value.length !== revisionLength) throw pages.damaged("a revision is unreadable");
  return readRevision(value);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
