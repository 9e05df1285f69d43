import { type Clock, type Duration, milliseconds } from "#base";

/**
 * Tells when things have taken too long. All may take the same time, so that the oldest is the next to be late and one
 * alarm serves them all.
 */
export class Deadlines<T extends object> {
  readonly #clock: Clock;
  readonly #timeout: Duration;
  readonly #onLate: (item: T) => void;
  /** In the order in which they began. */
  readonly #begun = new Map<T, Duration>();
  #alarm: AbortController | undefined;

  constructor(clock: Clock, timeout: Duration, onLate: (item: T) => void) {
    this.#clock = clock;
    this.#timeout = timeout;
    this.#onLate = onLate;
  }

  begin(item: T): void {
    this.#begun.set(item, this.#clock.elapsed());
    if (this.#alarm === undefined) this.#setAlarm();
  }

  end(item: T): void {
    this.#begun.delete(item);
  }

  close(): void {
    this.#begun.clear();
    this.#alarm?.abort("closed");
    this.#alarm = undefined;
  }

  #setAlarm(): void {
    const [oldest] = this.#begun.values();
    if (oldest === undefined) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    const left = milliseconds(Math.max(0, oldest + this.#timeout - this.#clock.elapsed()));
    this.#clock.sleep(left, { signal: alarm.signal }).then(
      () => this.#ring(),
      () => undefined,
    );
  }

  #ring(): void {
    this.#alarm = undefined;
    const now = this.#clock.elapsed();
    for (const [item, begun] of this.#begun) {
      if (begun + this.#timeout > now) break;
      this.#begun.delete(item);
      this.#onLate(item);
    }
    this.#setAlarm();
  }
}
