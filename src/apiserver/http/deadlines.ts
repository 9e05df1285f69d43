import { type Clock, type Duration, milliseconds } from "#base";

interface Entry {
  readonly at: number;
  readonly late: () => void;
}

/** Tells requests that their time is over. One sleeper looks after all of them, which is cheaper than a timer for each. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #entries = new Set<Entry>();
  #sleep = new AbortController();
  #wakesAt = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after so long; the answer takes that back. */
  add(after: Duration, late: () => void): () => void {
    const entry = { at: this.#clock.elapsed() + after, late };
    this.#entries.add(entry);
    // Hardly ever: most requests have the same time, so that the sleeper wakes for one that came before.
    if (entry.at < this.#wakesAt) this.#wakeAt(entry.at);
    return () => this.#entries.delete(entry);
  }

  /** Nobody is called back any more. */
  close(): void {
    this.#entries.clear();
    this.#sleep.abort();
  }

  #wakeAt(at: number): void {
    this.#sleep.abort();
    this.#sleep = new AbortController();
    this.#wakesAt = at;
    const { signal } = this.#sleep;
    this.#clock.sleep(milliseconds(at - this.#clock.elapsed()), { signal }).then(
      () => this.#look(),
      () => undefined,
    );
  }

  #look(): void {
    const now = this.#clock.elapsed();
    let next = Infinity;
    for (const entry of this.#entries) {
      if (entry.at > now) {
        next = Math.min(next, entry.at);
        continue;
      }
      this.#entries.delete(entry);
      entry.late();
    }
    this.#wakesAt = Infinity;
    if (next < Infinity) this.#wakeAt(next);
  }
}
