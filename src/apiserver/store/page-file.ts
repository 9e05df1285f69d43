import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { DataDamagedError, DataNewerError } from "./errors.ts";

// LMDB maps its file into memory and trusts every number in it: a cut or overwritten file ends the process with a
// signal that nothing can catch. So the file is first walked here, with plain reads and every number checked.

const magic = 0xbeefc0de;
const lmdbVersion = 2;
const headerLength = 24;
const nodeHeaderLength = 8;
const treeLength = 48;
const overflowPointerLength = 24;
const firstDataPage = 2;
const none = 0xffff_ffff_ffff_ffffn;

const pageKind = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
const kindMask = 0xff;
const nodeFlag = { overflow: 1, tree: 2 } as const;

/** One B-tree of the file, as its parent describes it. */
export interface Tree {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number | undefined;
  /** Whether keys are numbers in the machine's byte order, as in the list of free pages. */
  readonly numericKeys: boolean;
}

/** An entry of a tree; its buffers are only good until the next one. */
export interface TreeEntry {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly isTree: boolean;
}

/** Reads the pages of an LMDB file without LMDB, and throws a DataDamagedError at the first that is not sound. */
export class PageFile {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #size: number;
  readonly #pageSize: number;
  readonly #lastPage: number;
  readonly #transaction: bigint;
  readonly #used: Uint8Array;
  readonly freeTree: Tree;
  readonly mainTree: Tree;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, "r");
    try {
      this.#size = fstatSync(this.#descriptor).size;
      const first = this.#readMeta(0);
      const second = this.#readMeta(first.pageSize);
      const newest = second.transaction > first.transaction ? second : first;
      if (second.pageSize !== first.pageSize) throw this.damaged("its two first pages disagree about the page size");
      this.#pageSize = first.pageSize;
      this.#lastPage = newest.lastPage;
      this.#transaction = newest.transaction;
      this.freeTree = newest.freeTree;
      this.mainTree = newest.mainTree;
      // Pages at the very end may be missing when they were given up before they were ever written; but not more
      // pages can exist than the file could have had.
      if (this.#lastPage > Number.MAX_SAFE_INTEGER / this.#pageSize || this.#lastPage > 2 ** 31)
        throw this.damaged(`it claims to have ${this.#lastPage} pages`);
      this.#used = new Uint8Array(Math.min(this.#lastPage, Math.floor(this.#size / this.#pageSize)) + 1);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  damaged(problem: string): DataDamagedError {
    return new DataDamagedError(this.#file, problem);
  }

  /** The entries of a tree in the order of their keys. */
  *entries(tree: Tree): Generator<TreeEntry> {
    const counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    let last: Buffer | undefined;
    if (tree.root !== undefined) {
      for (const entry of this.#walk(tree, tree.root, tree.depth, counts)) {
        if (last !== undefined && compare(last, entry.key, tree) >= 0) throw this.damaged("its keys are out of order");
        last = entry.key;
        yield entry;
      }
    }
    for (const name of ["branchPages", "leafPages", "overflowPages", "entries"] as const)
      if (counts[name] !== tree[name])
        throw this.damaged(`a tree has ${counts[name]} ${name} and should have ${tree[name]}`);
  }

  /** The tree that an entry of another one describes. */
  readTree(bytes: Buffer): Tree {
    if (bytes.length !== treeLength) throw this.damaged("a tree has no proper description");
    const root = bytes.readBigUInt64LE(40);
    const depth = bytes.readUInt16LE(6);
    if ((root === none) !== (depth === 0) || depth > 32) throw this.damaged("a tree has an impossible depth");
    return {
      numericKeys: (bytes.readUInt16LE(4) & 8) !== 0,
      depth,
      branchPages: Number(bytes.readBigUInt64LE(8)),
      leafPages: Number(bytes.readBigUInt64LE(16)),
      overflowPages: Number(bytes.readBigUInt64LE(24)),
      entries: Number(bytes.readBigUInt64LE(32)),
      root: root === none ? undefined : Number(root),
    };
  }

  /** Walks the list of free pages, which must not name a page twice, nor one that a tree walked so far uses. */
  checkFreePages(): void {
    for (const { key, value } of this.entries(this.freeTree)) {
      if (key.length !== 8 || value.length < 8 || value.length % 8 !== 0)
        throw this.damaged("its list of free pages is broken");
      const count = Number(value.readBigInt64LE(0));
      if (count < 0 || count >= value.length / 8) throw this.damaged("its list of free pages is broken");
      this.#checkFreeList(value, count);
    }
  }

  #checkFreeList(list: Buffer, count: number): void {
    let run = 1;
    for (let index = 1; index <= count; index++) {
      const number = Number(list.readBigInt64LE(index * 8));
      // A negative number says how many pages in a row begin at the next one; 0 fills a gap.
      if (number < 0) run = -number;
      if (number <= 0) continue;
      if (number < firstDataPage || number + run - 1 > this.#lastPage)
        throw this.damaged(`free page ${number} is outside the file`);
      for (let page = number; page < number + run && page < this.#used.length; page++) {
        if (this.#used[page] !== 0) throw this.damaged(`page ${page} is both free and in use`);
        this.#used[page] = 1;
      }
      run = 1;
    }
  }

  *#walk(
    tree: Tree,
    page: number,
    level: number,
    counts: { branchPages: number; leafPages: number; overflowPages: number; entries: number },
  ): Generator<TreeEntry> {
    const bytes = this.#readPage(page);
    const kind = bytes.readUInt16LE(18) & kindMask;
    if (kind !== (level === 1 ? pageKind.leaf : pageKind.branch))
      throw this.damaged(`page ${page} is of the wrong kind`);
    const nodes = this.#nodes(bytes, page, level);
    if (kind === pageKind.leaf) {
      counts.leafPages++;
      counts.entries += nodes.length;
      for (const node of nodes) yield this.#leafEntry(bytes, node, counts);
      return;
    }
    counts.branchPages++;
    for (const [index, node] of nodes.entries()) {
      const key = nodeKey(bytes, node);
      const next = nodes[index + 1];
      const end = next === undefined ? undefined : nodeKey(bytes, next);
      for (const entry of this.#walk(tree, childPage(bytes, node), level - 1, counts)) {
        const misplaced =
          (index > 0 && compare(entry.key, key, tree) < 0) || (end !== undefined && compare(entry.key, end, tree) >= 0);
        if (misplaced) throw this.damaged(`page ${page} leads to the wrong keys`);
        yield entry;
      }
    }
  }

  #leafEntry(bytes: Buffer, node: number, counts: { overflowPages: number }): TreeEntry {
    const flags = bytes.readUInt16LE(node + 4);
    if ((flags & ~(nodeFlag.overflow | nodeFlag.tree)) !== 0) throw this.damaged("an entry is of no known kind");
    const key = nodeKey(bytes, node);
    const start = node + nodeHeaderLength + key.length;
    const length = bytes.readUInt32LE(node);
    const inline = (flags & nodeFlag.overflow) === 0;
    if (inline) return { key, value: bytes.subarray(start, start + length), isTree: (flags & nodeFlag.tree) !== 0 };
    const page = Number(bytes.readBigUInt64LE(start));
    const pages = Math.floor((headerLength - 1 + length) / this.#pageSize) + 1;
    if (Number(bytes.readBigUInt64LE(start + 16)) !== pages)
      throw this.damaged("an entry has the wrong number of pages");
    counts.overflowPages += pages;
    const overflow = this.#readPage(page, pages);
    const header = { kind: overflow.readUInt16LE(18) & kindMask, pages: overflow.readUInt32LE(20) };
    if (header.kind !== pageKind.overflow || header.pages !== pages)
      throw this.damaged(`page ${page} is of the wrong kind`);
    return { key, value: overflow.subarray(headerLength, headerLength + length), isTree: false };
  }

  /** Where the nodes of a page begin; together they fill its upper part to the last byte. */
  #nodes(bytes: Buffer, page: number, level: number): readonly number[] {
    const lower = bytes.readUInt16LE(20);
    const upper = bytes.readUInt16LE(22);
    if (lower === 0 || lower % 2 !== 0 || lower > upper || upper > bytes.length - headerLength)
      throw this.damaged(`page ${page} has no sound list of entries`);
    const nodes: number[] = [];
    let filled = 0;
    for (let at = 0; at < lower; at += 2) {
      const offset = bytes.readUInt16LE(headerLength + at);
      const node = headerLength + offset;
      const begins = offset >= upper && node + nodeHeaderLength <= bytes.length;
      const length = begins ? nodeLength(bytes, node, level) : Infinity;
      if (node + length > bytes.length) throw this.damaged(`page ${page} has an entry outside itself`);
      filled += length + (length % 2);
      nodes.push(node);
    }
    if (filled !== bytes.length - headerLength - upper)
      throw this.damaged(`page ${page} has entries on top of each other`);
    return nodes;
  }

  #readPage(page: number, pages = 1): Buffer {
    if (!(page >= firstDataPage && page + pages <= this.#used.length))
      throw this.damaged(`page ${page} lies behind the end of the file`);
    for (let each = page; each < page + pages; each++) {
      if (this.#used[each] !== 0) throw this.damaged(`page ${each} is used twice`);
      this.#used[each] = 1;
    }
    const bytes = this.#read(page * this.#pageSize, pages * this.#pageSize);
    if (bytes.readBigUInt64LE(0) !== BigInt(page)) throw this.damaged(`page ${page} carries another number`);
    if (bytes.readBigUInt64LE(8) > this.#transaction) throw this.damaged(`page ${page} comes from the future`);
    return bytes;
  }

  #readMeta(offset: number): Meta {
    const bytes = this.#read(offset, 168);
    const meta = bytes.subarray(headerLength);
    if ((bytes.readUInt16LE(18) & kindMask) !== pageKind.meta || meta.readUInt32LE(0) !== magic)
      throw this.damaged("it does not begin as a data file does");
    const version = meta.readUInt32LE(4) & 0xffff;
    if (version !== lmdbVersion) throw new DataNewerError(this.#file, { found: version, known: lmdbVersion });
    const pageSize = meta.readUInt32LE(24);
    if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0)
      throw this.damaged(`it claims pages of ${pageSize} bytes`);
    return {
      pageSize,
      freeTree: { ...this.readTree(meta.subarray(24, 72)), numericKeys: true },
      mainTree: this.readTree(meta.subarray(72, 120)),
      lastPage: Number(meta.readBigUInt64LE(120)),
      transaction: meta.readBigUInt64LE(128),
    };
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    const read = readSync(this.#descriptor, bytes, 0, length, position);
    if (read !== length) throw this.damaged("it ends too early");
    return bytes;
  }
}

interface Meta {
  readonly pageSize: number;
  readonly freeTree: Tree;
  readonly mainTree: Tree;
  readonly lastPage: number;
  readonly transaction: bigint;
}

function nodeKey(bytes: Buffer, node: number): Buffer {
  const start = node + nodeHeaderLength;
  return bytes.subarray(start, start + bytes.readUInt16LE(node + 6));
}

function nodeLength(bytes: Buffer, node: number, level: number): number {
  const withKey = nodeHeaderLength + bytes.readUInt16LE(node + 6);
  if (level > 1) return withKey;
  const isOverflow = (bytes.readUInt16LE(node + 4) & nodeFlag.overflow) !== 0;
  return withKey + (isOverflow ? overflowPointerLength : bytes.readUInt32LE(node));
}

function childPage(bytes: Buffer, node: number): number {
  return bytes.readUInt32LE(node) + bytes.readUInt16LE(node + 4) * 2 ** 32;
}

function compare(a: Buffer, b: Buffer, tree: Tree): number {
  if (!tree.numericKeys) return Buffer.compare(a, b);
  const difference = a.readBigUInt64LE(0) - b.readBigUInt64LE(0);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
