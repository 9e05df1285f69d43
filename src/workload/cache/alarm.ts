import type { Clock, Duration } from "#base";

/** Lets one sleeper sleep, and wakes it before its time. */
export interface Alarm {
  /** Resolves after so long, or as soon as it rings; a ring while nobody slept counts. Rejects when the signal ends it. */
  sleep(duration: Duration | undefined, signal: AbortSignal): Promise<void>;
  ring(): void;
}

/** Makes an alarm for one sleeper. */
export function createAlarm(clock: Clock): Alarm {
  let hasRung = false;
  let sleeping: AbortController | undefined;
  return {
    async sleep(duration, signal) {
      signal.throwIfAborted();
      if (!hasRung) {
        sleeping = new AbortController();
        const stop = (): void => sleeping?.abort("stopped");
        signal.addEventListener("abort", stop, { once: true });
        await (duration === undefined ? aborted(sleeping.signal) : slept(clock, duration, sleeping.signal));
        signal.removeEventListener("abort", stop);
        sleeping = undefined;
      }
      hasRung = false;
      signal.throwIfAborted();
    },
    ring() {
      hasRung = true;
      sleeping?.abort("rung");
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function slept(clock: Clock, duration: Duration, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(duration, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
