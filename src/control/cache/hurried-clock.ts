import type { Clock } from "#base";

/** A clock on which pauses can be cut short, but no other sleep. */
export interface HurriedClock extends Clock {
  /** From now on, or not any more, sleeping is pausing. */
  pausing(isPausing: boolean): void;
  /** Cuts the pause that goes on or comes next short, and so many in all; with none, no further ones. */
  hurry(pauses: number): void;
}

/** Makes such a clock of another one. */
export function hurriedClock(clock: Clock): HurriedClock {
  let isPausing = false;
  let toSkip = 0;
  let wake: (() => void) | undefined;
  return {
    now: () => clock.now(),
    instant: () => clock.instant(),
    elapsed: () => clock.elapsed(),
    async sleep(duration, options = {}) {
      if (!isPausing) return await clock.sleep(duration, options);
      if (toSkip > 0) toSkip -= 1;
      else await pause(duration, options);
    },
    pausing(isSo) {
      isPausing = isSo;
    },
    hurry(pauses) {
      toSkip = pauses;
      if (wake === undefined || pauses === 0) return;
      toSkip -= 1;
      wake();
    },
  };

  async function pause(...[duration, { signal } = {}]: Parameters<Clock["sleep"]>): Promise<void> {
    const pausing = new AbortController();
    const end = (): void => pausing.abort();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted === true) end();
    wake = end;
    try {
      await clock.sleep(duration, { signal: pausing.signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (!pausing.signal.aborted) throw error;
    } finally {
      signal?.removeEventListener("abort", end);
      wake = undefined;
    }
  }
}
