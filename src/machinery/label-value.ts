import { labelValueProblems } from "./labels.ts";

/** A text as the value of a label: itself where it is allowed to be one, otherwise a hash of it. */
export function labelValueOf(text: string): string {
  return labelValueProblems(text).length === 0 ? text : `hash_${fnv1a(text).toString("base64url")}_z`;
}

/** The 32-bit FNV-1a hash of a text. */
function fnv1a(text: string): Buffer {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}
