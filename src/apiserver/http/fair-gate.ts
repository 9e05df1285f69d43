import { ApiError } from "#machinery";

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (error: ApiError) => void;
}

/**
 * Lets so many requests in at a time and the rest wait, one queue per caller, served in turn: whoever asks for a lot
 * waits for himself and not others for him. A caller with too many in his queue is sent away for a while.
 */
export class FairGate {
  readonly #limit: number;
  readonly #longestQueue: number;
  /** The first queue is served next, and then goes to the end. */
  readonly #queues = new Map<string, Waiting[]>();
  #inside = 0;

  constructor(options: { readonly limit: number; readonly longestQueue: number }) {
    this.#limit = options.limit;
    this.#longestQueue = options.longestQueue;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Resolves once the caller may go in; nothing to wait for where there is room. */
  enter(caller: string): Promise<void> | undefined {
    if (this.#inside < this.#limit) {
      this.#inside += 1;
      return undefined;
    }
    const queue = this.#queues.get(caller) ?? [];
    if (queue.length >= this.#longestQueue) throw tooMany();
    this.#queues.set(caller, queue);
    return new Promise((enter, refuse) => queue.push({ enter, refuse }));
  }

  leave(): void {
    const next = this.#next();
    if (next === undefined) this.#inside -= 1;
    else next.enter();
  }

  /** Sends everyone away who waits. */
  clear(): void {
    for (const queue of this.#queues.values()) for (const { refuse } of queue) refuse(tooMany());
    this.#queues.clear();
  }

  #next(): Waiting | undefined {
    for (const [caller, queue] of this.#queues) {
      this.#queues.delete(caller);
      const first = queue.shift();
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (first !== undefined) return first;
    }
    return undefined;
  }
}

/** The refusal of a caller who asks for more than the server can do. */
export function tooMany(): ApiError {
  return new ApiError({
    httpCode: 429,
    reason: "TooManyRequests",
    message: "Too many requests, please try again later.",
    details: { retryAfterSeconds: 1 },
  });
}
