import type { Readable } from "node:stream";
import { LineCutter } from "./watch-lines.ts";

/** Lines of a stream, to be taken one by one; what nobody takes is not read, so that the sender has to wait. */
export class LineReader {
  readonly #body: Readable;
  readonly #cutter: LineCutter;
  readonly #lines: Buffer[] = [];
  #wake: ((line: Buffer | undefined) => void) | undefined;
  #error: Error | undefined;
  #isOver = false;

  constructor(body: Readable, { mostBytes }: { readonly mostBytes: number }) {
    this.#body = body;
    this.#cutter = new LineCutter(mostBytes);
    // What broke while nobody was listening does not say so again.
    if (body.destroyed) {
      this.#error = body.errored ?? undefined;
      this.#isOver = true;
      return;
    }
    body.on("data", (chunk: Buffer) => this.#read(chunk));
    body.once("error", (error: Error) => (this.#error = error));
    body.once("close", () => this.#end());
  }

  /** What the stream broke with, after its last line. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** The next line if it is there already. */
  take(): Buffer | undefined {
    const line = this.#lines.shift();
    if (line !== undefined && this.#lines.length === 0 && !this.#isOver) this.#body.resume();
    return line;
  }

  /** The next line once it is there, and undefined after the last one. */
  next(): Promise<Buffer | undefined> {
    const line = this.take();
    if (line !== undefined || this.#isOver) return Promise.resolve(line);
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What came after the last line end. */
  rest(): Buffer {
    return this.#cutter.rest();
  }

  #read(chunk: Buffer): void {
    try {
      this.#cutter.cut(chunk, (line) => this.#hand(line));
    } catch (error) {
      this.#body.destroy(error instanceof Error ? error : undefined);
    }
    if (this.#lines.length > 0) this.#body.pause();
  }

  #hand(line: Buffer): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake === undefined) this.#lines.push(line);
    else wake(line);
  }

  #end(): void {
    this.#isOver = true;
    this.#wake?.(undefined);
  }
}
