/** The bytes that structure JSON. */
export const code = {
  quotation: 0x22,
  comma: 0x2c,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** A part of some bytes: from here up to, and without, there. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The place after the value that begins here; -1 where it does not end. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === code.quotation) return endOfText(bytes, start);
  if (first === code.openObject || first === code.openList) return endOfNest(bytes, start);
  return endOfWord(bytes, start);
}

/** The place after the text that begins here; -1 where it does not end. */
export function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const here = bytes[at];
    if (here === code.quotation) return at + 1;
    if (here === code.backslash) at += 1;
  }
  return -1;
}

function endOfNest(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const here = bytes[at];
    if (here === code.quotation) {
      const end = endOfText(bytes, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (here === code.openObject || here === code.openList) depth += 1;
    else if (here === code.closeObject || here === code.closeList) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** A number, or one of the three words. */
function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && !isStructure(bytes[at])) at += 1;
  return at;
}

/** True for what may stand after a value. */
export function isStructure(byte: number | undefined): boolean {
  return byte === code.comma || byte === code.closeObject || byte === code.closeList;
}

/** What stands in some bytes without one part of it. */
export function textWithout({ from, to }: ByteRange, bytes: Buffer): string {
  return bytes.toString("utf8", 0, from) + bytes.toString("utf8", to);
}
