import type { Clock, Duration } from "#base";
import { formatDuration } from "#base";
import { DeadlineExceededError } from "./errors.ts";
import { allowManyListeners } from "./many-listeners.ts";

/** How long something may take, and who else may end it. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeout: Duration;
  readonly signal?: AbortSignal | undefined;
  /** What takes its time, for the message. */
  readonly what: string;
}

/** A signal that is aborted by time or by an outer signal, until it is released. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Time stops to matter; the outer signal goes on to. */
  stopClock(): void;
  /** Nothing aborts the signal any more. */
  release(): void;
}

/** Starts the time of something. */
export function startDeadline({ clock, timeout, signal: outer, what }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const timer = new AbortController();
  const onAbort = (): void => controller.abort(outer?.reason);
  allowManyListeners(outer);
  if (outer?.aborted === true) onAbort();
  else outer?.addEventListener("abort", onAbort, { once: true });
  clock.sleep(timeout, { signal: timer.signal }).then(
    () => controller.abort(new DeadlineExceededError(`${what} took longer than ${formatDuration(timeout)}`)),
    () => undefined,
  );
  // Making an error to say so would cost more than all the rest of a deadline.
  const stopClock = (): void => timer.abort("released");
  return {
    signal: controller.signal,
    stopClock,
    release() {
      stopClock();
      outer?.removeEventListener("abort", onAbort);
    },
  };
}

/** Runs something that has to end in time. */
export async function withDeadline<T>(options: DeadlineOptions, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = startDeadline(options);
  try {
    return await run(deadline.signal);
  } finally {
    deadline.release();
  }
}
