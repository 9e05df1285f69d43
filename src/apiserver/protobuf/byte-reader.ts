import { InvalidProtobufError } from "./errors.ts";

/** How a value lies in the bytes: a number of varying length, eight bytes, so many bytes, or four bytes. */
export type WireKind = "varint" | "fixed64" | "bytes" | "fixed32";

export interface Tag {
  readonly number: number;
  readonly wire: WireKind;
}

const wireKinds: readonly (WireKind | undefined)[] = ["varint", "fixed64", "bytes", undefined, undefined, "fixed32"];
const longestVarint = 10;

/** Reads the building blocks of protobuf, never beyond its end. */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isDone(): boolean {
    return this.#at >= this.#end;
  }

  get length(): number {
    return this.#end - this.#at;
  }

  tag(): Tag {
    const value = this.unsigned();
    const number = Math.floor(value / 8);
    const wire = wireKinds[value % 8];
    if (wire === undefined) throw new InvalidProtobufError(`field ${number} has the unknown wire type ${value % 8}`);
    if (number === 0) throw new InvalidProtobufError("a field has the number 0");
    return { number, wire };
  }

  /** A number that has to fit into 53 bits, such as a length. */
  unsigned(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < longestVarint; count++) {
      const byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      factor *= 128;
    }
    throw new InvalidProtobufError("a number is too large");
  }

  /** A signed number of 64 bits: a bigint only where a number cannot hold it. */
  signed(): number | bigint {
    const start = this.#at;
    // Most numbers are small, and a bigint is dear.
    const [first = 0, second = 0] = [this.#bytes[start], this.#bytes[start + 1]];
    if (first < 0x80) return this.#next();
    if (second < 0x80 && start + 1 < this.#end) {
      this.#at += 2;
      return (first & 0x7f) + second * 128;
    }
    let value = 0n;
    for (let shift = 0n; shift < BigInt(longestVarint * 7); shift += 7n) {
      const byte = this.#next();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return exact(BigInt.asIntN(64, value));
    }
    throw new InvalidProtobufError("a number is too long");
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  /** A reader of the bytes that follow, as many as they say. */
  inside(): ByteReader {
    const length = this.unsigned();
    const start = this.#take(length);
    return new ByteReader(this.#bytes, start, start + length);
  }

  /** The rest as text. */
  text(): string {
    const text = this.#bytes.toString("utf8", this.#at, this.#end);
    this.#at = this.#end;
    return text;
  }

  /** The rest as bytes, which share their memory with the whole. */
  rest(): Buffer {
    const rest = this.#bytes.subarray(this.#at, this.#end);
    this.#at = this.#end;
    return rest;
  }

  skip(wire: WireKind): void {
    switch (wire) {
      case "varint":
        this.signed();
        return;
      case "fixed64":
        this.#take(8);
        return;
      case "fixed32":
        this.#take(4);
        return;
      case "bytes":
        this.#take(this.unsigned());
    }
  }

  #next(): number {
    const at = this.#take(1);
    return this.#bytes[at] ?? 0;
  }

  #take(count: number): number {
    const at = this.#at;
    if (count > this.#end - at) throw new InvalidProtobufError("unexpected end of the message");
    this.#at = at + count;
    return at;
  }
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
