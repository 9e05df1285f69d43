import { type Clock, type Duration, exponentialBackoff, type Logger, milliseconds, seconds } from "#base";

/** Works through keys in the background, one at a time, each again and later if it fails. */
export interface Worker {
  /** Asks for work on a key; asking twice before it is begun is asking once. */
  add(key: string): void;
  /** Resolves when there is nothing to do now; what waits for a retry does not count. */
  idle(): Promise<void>;
}

export interface WorkerOptions {
  readonly name: string;
  readonly work: (key: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const delays = exponentialBackoff({ first: milliseconds(5), most: seconds(60) });

/** Makes a worker that runs until the signal is aborted. */
export function createWorker({ name, work, clock, log, signal }: WorkerOptions): Worker {
  const waiting = new Set<string>();
  const failures = new Map<string, number>();
  let running: Promise<void> | undefined;

  return {
    add,
    async idle() {
      // What ran may have given more to do.
      for (let round = running; round !== undefined; round = running) await round;
    },
  };

  function add(key: string): void {
    if (signal.aborted) return;
    waiting.add(key);
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  async function run(): Promise<void> {
    // Begins in a later turn: whoever adds a key is in the middle of something.
    await Promise.resolve();
    for (const key of waiting) {
      if (signal.aborted) return;
      waiting.delete(key);
      try {
        await work(key);
        failures.delete(key);
      } catch (error) {
        if (signal.aborted) return;
        const count = (failures.get(key) ?? 0) + 1;
        failures.set(key, count);
        log.error(`${name} failed and will be tried again`, error, { key, failures: count });
        void addLater(key, delays.delayAfter(count));
      }
    }
  }

  async function addLater(key: string, delay: Duration): Promise<void> {
    try {
      await clock.sleep(delay, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    add(key);
  }
}
