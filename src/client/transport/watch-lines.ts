import { WatchBrokenError } from "../errors.ts";

const newline = 0x0a;

/** Cuts a stream of bytes into lines, with no more copying than chunks that end within a line need. */
export class LineCutter {
  readonly #most: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Tells the lines that end in this chunk, without their ends. Blank ones are left out. */
  cut(chunk: Buffer, tell: (line: Buffer) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = this.#joined(chunk.subarray(start, end));
      start = end + 1;
      if (line.length > 0) tell(line);
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** What came after the last line end. */
  rest(): Buffer {
    return this.#joined(Buffer.alloc(0));
  }

  #joined(end: Buffer): Buffer {
    if (this.#waiting.length === 0) return this.#checked(end);
    const line = Buffer.concat([...this.#waiting, end]);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#checked(line);
  }

  #keep(part: Buffer): void {
    this.#waiting.push(part);
    this.#waitingBytes += part.length;
    if (this.#waitingBytes > this.#most) throw this.#tooLarge();
  }

  #checked(line: Buffer): Buffer {
    if (line.length > this.#most) throw this.#tooLarge();
    return line;
  }

  #tooLarge(): WatchBrokenError {
    return new WatchBrokenError("too-large", `an event of the watch is larger than ${this.#most} bytes`);
  }
}
