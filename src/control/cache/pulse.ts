/** Lets those who wait for something look again whenever something has happened. */
export class Pulse {
  #waiting: (() => void)[] = [];

  /** Something has happened. */
  beat(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves once something holds; rejects with the reason of a signal that is aborted before. */
  async until(holds: () => boolean, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const given = signals.filter((signal) => signal !== undefined);
    while (!holds()) {
      for (const signal of given) signal.throwIfAborted();
      await this.#next(given);
    }
  }

  #next(signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        for (const signal of signals) signal.removeEventListener("abort", wake);
        resolve();
      };
      for (const signal of signals) signal.addEventListener("abort", wake, { once: true });
      this.#waiting.push(wake);
    });
  }
}
