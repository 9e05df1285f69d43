import type { Clock } from "#base";

/** Pauses that can be cut short. */
export interface HurriedPauses {
  /** Waits as the clock does, unless there is a hurry. */
  readonly pause: Clock["sleep"];
  /** Cuts the pause that goes on or comes next short, and so many in all; with none, no further ones. */
  hurry(pauses: number): void;
}

/** Pauses by a clock. */
export function hurriedPauses(clock: Clock): HurriedPauses {
  let toSkip = 0;
  let wake: (() => void) | undefined;
  return {
    async pause(duration, options = {}) {
      if (toSkip > 0) toSkip -= 1;
      else await waited(duration, options);
    },
    hurry(pauses) {
      toSkip = pauses;
      if (wake === undefined || pauses === 0) return;
      toSkip -= 1;
      wake();
    },
  };

  async function waited(...[duration, { signal } = {}]: Parameters<Clock["sleep"]>): Promise<void> {
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
