/** Writes values in DER, the byte form of certificates: each is a tag, a length and a content. */

export function sequence(...members: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(members));
}

export function set(...members: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(members));
}

/** A whole number that is not negative, given as its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const looksNegative = (significant[0] ?? 0) >= 0x80;
  return tagged(0x02, looksNegative ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]));
}

export function nothing(): Buffer {
  return tagged(0x05, Buffer.alloc(0));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

/** A moment in whole seconds; years from 2050 on have four digits. */
export function time(instant: number): Buffer {
  const digits = new Date(instant).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  const inLongForm = Number(digits.slice(0, 4)) >= 2050;
  return inLongForm ? tagged(0x18, Buffer.from(digits)) : tagged(0x17, Buffer.from(digits.slice(2)));
}

/** A name such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A value that is known by its number within its surroundings. */
export function explicit(number: number, content: Uint8Array): Buffer {
  return tagged(0xa0 + number, content);
}

/** The same for a value whose own tag is left out. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return tagged(0x80 + number, content);
}

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** Seven bits a byte, all but the last one marked. */
function base128(value: number): readonly number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 + (rest % 128));
  return bytes;
}
