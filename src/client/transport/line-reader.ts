import type { Readable } from "node:stream";
import { LineCutter } from "./watch-lines.ts";

/** How a stream of lines is read. */
interface LineReading<T> {
  /** The longest line. */
  readonly mostBytes: number;
  /** Reads a line when its turn has come. */
  readonly read: (line: Buffer) => T;
  /** What comes after the last line; asked as often as somebody wants more. */
  readonly end: () => T;
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Lines of a stream, to be taken one by one; what nobody takes is not read, so that the sender has to wait. */
export class LineReader<T> {
  readonly #body: Readable;
  readonly #cutter: LineCutter;
  readonly #reading: LineReading<T>;
  readonly #lines: Buffer[] = [];
  readonly #waiters: Waiter<T>[] = [];
  #error: Error | undefined;
  #isOver = false;

  constructor(body: Readable, reading: LineReading<T>) {
    this.#body = body;
    this.#reading = reading;
    this.#cutter = new LineCutter(reading.mostBytes);
    // What broke while nobody was listening does not say so again.
    if (body.destroyed) {
      this.#error = body.errored ?? undefined;
      this.#isOver = true;
      return;
    }
    body.on("data", (chunk: Buffer) => this.#cut(chunk));
    body.once("error", (error: Error) => (this.#error = error));
    body.once("close", () => this.#close());
  }

  /** What the stream broke with, after its last line. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** The next line, as it was read, once it is there. */
  next(): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      const line = this.#lines.shift();
      if (line === undefined && !this.#isOver) this.#waiters.push(waiter);
      else this.#give(waiter, line);
      if (line !== undefined && this.#lines.length === 0 && !this.#isOver) this.#body.resume();
    });
  }

  /** What came after the last line end. */
  rest(): Buffer {
    return this.#cutter.rest();
  }

  #cut(chunk: Buffer): void {
    try {
      this.#cutter.cut(chunk, (line) => this.#hand(line));
    } catch (error) {
      this.#body.destroy(error instanceof Error ? error : undefined);
    }
    if (this.#lines.length > 0) this.#body.pause();
  }

  #hand(line: Buffer): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#lines.push(line);
    else this.#give(waiter, line);
  }

  #give({ resolve, reject }: Waiter<T>, line: Buffer | undefined): void {
    const { read, end } = this.#reading;
    try {
      resolve(line === undefined ? end() : read(line));
    } catch (error) {
      reject(error);
    }
  }

  #close(): void {
    this.#isOver = true;
    for (const waiter of this.#waiters.splice(0)) this.#give(waiter, undefined);
  }
}
