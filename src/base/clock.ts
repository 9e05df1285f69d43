import { type Duration, milliseconds } from "./duration.ts";
import { type Timestamp, timestampOf } from "./timestamp.ts";

/** The time, handed in wherever it matters, so that tests decide what it is. */
export interface Clock {
  /** The time of day in whole seconds. */
  now(): Timestamp;
  /** Milliseconds since 1970. */
  instant(): number;
  /** Time since some fixed moment; never goes back. */
  elapsed(): Duration;
  /** Resolves after so long; rejects with the signal's reason when that is aborted first. */
  sleep(duration: Duration, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

const longestTimer = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => timestampOf(Date.now()),
  instant: () => Date.now(),
  elapsed: () => milliseconds(performance.now()),
  sleep: (duration, { signal } = {}) =>
    sleepUntil(signal, (wake) => {
      let timer: NodeJS.Timeout;
      const end = performance.now() + duration;
      // Timers of the platform hold 24 days at most and fire at once when asked for more.
      const wait = (): void => {
        const left = end - performance.now();
        timer = setTimeout(left > longestTimer ? wait : wake, Math.min(left, longestTimer));
      };
      wait();
      return () => clearTimeout(timer);
    }),
};

/** A clock that moves only when a test says so. */
export interface FakeClock extends Clock {
  /** Moves time on, waking sleepers in order and letting each run before the next wakes. */
  advance(duration: Duration): Promise<void>;
  /** How many sleep at the moment. */
  readonly sleepers: number;
  /** How long it is until the first of them wakes; absent where nobody sleeps. */
  readonly untilNextWake: Duration | undefined;
}

/** Makes a clock that stands still at a time. */
export function createFakeClock(start: Timestamp): FakeClock {
  const beginning = Date.parse(start);
  let instant = beginning;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => timestampOf(instant),
    instant: () => instant,
    elapsed: () => milliseconds(instant - beginning),
    get sleepers() {
      return sleepers.size;
    },
    get untilNextWake() {
      const [first] = Array.from(sleepers, ({ at }) => at).toSorted((a, b) => a - b);
      return first === undefined ? undefined : milliseconds(first - instant);
    },
    sleep: (duration, { signal } = {}) =>
      sleepUntil(signal, (wake) => {
        const sleeper = { at: instant + Math.max(0, duration), wake };
        sleepers.add(sleeper);
        return () => sleepers.delete(sleeper);
      }),
    async advance(duration) {
      const end = instant + duration;
      // What is about to fall asleep does so at the time it is now.
      await settled();
      for (;;) {
        const [first] = [...sleepers].filter((sleeper) => sleeper.at <= end).toSorted((a, b) => a.at - b.at);
        if (first === undefined) break;
        instant = Math.max(instant, first.at);
        sleepers.delete(first);
        first.wake();
        await settled();
      }
      instant = end;
      await settled();
    },
  };
}

/** Lets everything run that can run without time passing. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sleepUntil(signal: AbortSignal | undefined, start: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = start(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    function onAbort(): void {
      stop();
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
