import { type Clock, type Duration, milliseconds, noTime } from "#base";
import { namespacedName, type ObjectKey } from "#machinery";
import type { PassRecord } from "../pass/pass-record.ts";

/** Remembers since when what objects have to explain has been put off, so that none of it waits for too long. */
export class Patience {
  readonly #clock: Clock;
  readonly #longest: Duration;
  readonly #since = new Map<string, number>();

  constructor(clock: Clock, longest: Duration) {
    this.#clock = clock;
    this.#longest = longest;
  }

  /** For how long what an object has to explain may still be put off. */
  leftFor(key: ObjectKey): Duration {
    const since = this.#since.get(namespacedName(key));
    if (since === undefined) return this.#longest;
    const left = since + this.#longest - this.#clock.elapsed();
    return left > 0 ? milliseconds(left) : noTime;
  }

  /** Takes note of a pass. */
  note({ key, putOff = false, outcome }: PassRecord): void {
    const name = namespacedName(key);
    if (putOff && !this.#since.has(name)) this.#since.set(name, this.#clock.elapsed());
    // A pass that failed came to nothing that could have been written.
    if (!putOff && outcome !== "failed") this.#since.delete(name);
  }

  /** There is nothing else to do, so that nothing is put off any longer. */
  end(): void {
    for (const name of this.#since.keys()) this.#since.set(name, -Infinity);
  }
}
