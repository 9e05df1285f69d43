import { constants, crc32, deflateRawSync } from "node:zlib";
import { WeakCache } from "#base";

// The same objects are listed again and again, by one client after the other: each is compressed by itself and once,
// which a gzip stream allows for as long as every piece ends on a whole byte.
const compressed = new WeakCache<Buffer, Buffer>(4 * 1024 * 1024);

const header = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x04, 0xff]);
const emptyFinalBlock = Buffer.from([0x01, 0x00, 0x00, 0xff, 0xff]);
// Smaller pieces are sent as they are.
const smallestCompressed = 256;
const largestStored = 0xffff;
// The window reaches over one object, not much more, and takes little time to set up.
const options = { level: 1, windowBits: 13, memLevel: 5, finishFlush: constants.Z_SYNC_FLUSH };

/** The pieces of a text as those of one gzip stream; pieces that are the very ones of an earlier text cost little. */
export function* gzipParts(parts: Iterable<Buffer>): Generator<Buffer> {
  yield header;
  let [checksum, size] = [0, 0];
  for (const part of parts) {
    checksum = crc32(part, checksum);
    size += part.length;
    yield part.length < smallestCompressed ? storedBlock(part) : compressedBlocks(part);
  }
  yield emptyFinalBlock;
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  yield trailer;
}

function compressedBlocks(part: Buffer): Buffer {
  const known = compressed.get(part);
  if (known !== undefined) return known;
  const blocks = deflateRawSync(part, options);
  compressed.set(part, blocks, blocks.length);
  return blocks;
}

/** Bytes as they are, behind a head that says how many: their number, and the same with all bits turned. */
function storedBlock(part: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + part.length);
  block[0] = 0;
  block.writeUInt16LE(part.length, 1);
  block.writeUInt16LE(largestStored - part.length, 3);
  block.set(part, 5);
  return block;
}
