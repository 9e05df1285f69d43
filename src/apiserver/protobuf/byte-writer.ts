/** Puts together the building blocks of protobuf. */
export class ByteWriter {
  readonly #parts: Buffer[] = [];

  bytes(field: number, content: Buffer): this {
    this.#parts.push(varint(field * 8 + 2), varint(content.length), content);
    return this;
  }

  text(field: number, text: string): this {
    return this.bytes(field, Buffer.from(text));
  }

  number(field: number, value: number | bigint): this {
    this.#parts.push(varint(field * 8), varint(value));
    return this;
  }

  double(field: number, value: number): this {
    const content = Buffer.alloc(8);
    content.writeDoubleLE(value);
    this.#parts.push(varint(field * 8 + 1), content);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function varint(value: number | bigint): Buffer {
  // Most numbers are tags and lengths, which fit into a byte or two.
  if (typeof value === "number" && value >= 0 && value < 0x4000) {
    return value < 0x80 ? Buffer.of(value) : Buffer.of((value & 0x7f) | 0x80, value >> 7);
  }
  const parts: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left >= 0x80n) {
    parts.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  parts.push(Number(left));
  return Buffer.from(parts);
}
