/** Lets those who want to work on the same thing do so one after the other, in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs work when all that came before for the same key is done, however it ended. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let done = (): void => {};
    const own = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#last.set(key, own);
    try {
      await before;
      return await work();
    } finally {
      done();
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }
}
