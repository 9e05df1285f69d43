import type { CallOptions } from "#machinery";
import { allowManyListeners } from "./many-listeners.ts";

/** Joins a run under way, or starts one. */
export type SharedRun<T> = (options?: Pick<CallOptions, "signal">) => Promise<T>;

interface Run<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  callers: number;
}

/** Whoever asks while a run is under way gets its result; the run is cancelled when all who asked have left. */
export function sharedRun<T>(run: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
  let current: Run<T> | undefined;

  function start(): Run<T> {
    const stop = new AbortController();
    const started: Run<T> = { stop, callers: 0, result: run(stop.signal).finally(() => forget(started)) };
    // Its callers may all have left before it fails.
    started.result.catch(() => undefined);
    return started;
  }

  function forget(ended: Run<T>): void {
    if (current === ended) current = undefined;
  }

  return async ({ signal } = {}) => {
    signal?.throwIfAborted();
    allowManyListeners(signal);
    const joined = (current ??= start());
    joined.callers++;
    try {
      return await (signal === undefined ? joined.result : orAborted(joined.result, signal));
    } finally {
      if (--joined.callers === 0) {
        forget(joined);
        joined.stop.abort();
      }
    }
  };
}

/** The result, unless the signal is aborted first. */
export function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
