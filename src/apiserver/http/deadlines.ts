import { type Clock, type Duration, milliseconds, seconds } from "#base";

interface Entry {
  readonly at: number;
  readonly late: () => void;
}

const lookEvery = seconds(1);

/** Tells requests that their time is over. One sleeper looks after all of them, which is cheaper than a timer for each. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #entries = new Set<Entry>();
  #awake = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after so long, to the second; the answer takes that back. */
  add(after: Duration, late: () => void): () => void {
    const entry = { at: this.#clock.elapsed() + after, late };
    this.#entries.add(entry);
    if (!this.#awake) void this.#look(after);
    return () => this.#entries.delete(entry);
  }

  async #look(first: Duration): Promise<void> {
    this.#awake = true;
    let nap = milliseconds(Math.min(first, lookEvery));
    while (this.#entries.size > 0) {
      await this.#clock.sleep(nap);
      nap = lookEvery;
      const now = this.#clock.elapsed();
      for (const entry of this.#entries) {
        if (entry.at > now) continue;
        this.#entries.delete(entry);
        entry.late();
      }
    }
    this.#awake = false;
  }
}
