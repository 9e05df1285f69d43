import type { WatchEvent } from "#machinery";

/** How a stream came to its end. */
export type StreamEnd =
  | { readonly kind: "open" }
  /** The watch ran for as long as it was asked to, or its resource went away. */
  | { readonly kind: "finished" }
  /** The watcher read more slowly than others wrote. */
  | { readonly kind: "too-slow" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Events on their way to one watcher. The writer never waits: a stream that is full is closed, and its reader gets what
 * was in it and then the end, from which it resumes at the last revision that it saw.
 */
export class EventStream implements AsyncIterableIterator<WatchEvent> {
  readonly #limit: number;
  readonly #onEnd: () => void;
  #events: WatchEvent[] = [];
  #at = 0;
  #end: StreamEnd = { kind: "open" };
  #wake: (() => void) | undefined;
  #reader: { resolve: (result: IteratorResult<WatchEvent>) => void; reject: (error: unknown) => void } | undefined;

  constructor(limit: number, onEnd: () => void) {
    this.#limit = limit;
    this.#onEnd = onEnd;
  }

  get end(): StreamEnd {
    return this.#end;
  }

  push(event: WatchEvent): void {
    if (this.#end.kind !== "open") return;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: event });
      return;
    }
    if (this.#events.length - this.#at >= this.#limit) this.close({ kind: "too-slow" });
    else this.#events.push(event);
    this.#awaken();
  }

  close(end: Exclude<StreamEnd, { kind: "open" }>): void {
    if (this.#end.kind !== "open") return;
    this.#end = end;
    this.#onEnd();
    this.#awaken();
    const reader = this.#reader;
    this.#reader = undefined;
    if (end.kind === "failed") reader?.reject(end.error);
    else reader?.resolve({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<WatchEvent>> {
    const event = this.#events[this.#at];
    if (event !== undefined) {
      this.#at += 1;
      if (this.#at === this.#events.length) this.#forget();
      return Promise.resolve({ done: false, value: event });
    }
    switch (this.#end.kind) {
      case "open":
        return new Promise((resolve, reject) => {
          this.#reader = { resolve, reject };
        });
      case "failed":
        return Promise.reject(this.#end.error);
      case "finished":
      case "too-slow":
        return Promise.resolve({ done: true, value: undefined });
    }
  }

  /** Everything that waits, or else what comes next together; nothing at the end. */
  async nextBatch(): Promise<readonly WatchEvent[] | undefined> {
    for (;;) {
      if (this.#at < this.#events.length) {
        const events = this.#at === 0 ? this.#events : this.#events.slice(this.#at);
        this.#forget();
        return events;
      }
      if (this.#end.kind === "failed") throw this.#end.error;
      if (this.#end.kind !== "open") return undefined;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  /** The reader goes away. */
  return(): Promise<IteratorResult<WatchEvent>> {
    this.#forget();
    this.close({ kind: "finished" });
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #awaken(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #forget(): void {
    this.#events = [];
    this.#at = 0;
  }
}
