import type { Clock } from "./clock.ts";
import { type Duration, milliseconds } from "./duration.ts";
import { CapstanError } from "./errors.ts";

/** How long to wait before trying again. */
export interface Backoff {
  /** The delay after so many failures in a row, counted from one. */
  delayAfter(failures: number): Duration;
}

/** How delays grow. */
export type BackoffOptions = {
  /** The delay after the first failure. */
  readonly first: Duration;
  /** By how much each delay exceeds the one before; 2 unless told otherwise. */
  readonly factor?: number;
  /** No delay is longer, with jitter or without. */
  readonly most: Duration;
} & (
  | { readonly jitter?: never; readonly random?: never }
  | {
      /** The part of a delay that chance may add: with 0.5, up to half of it. */
      readonly jitter: number;
      /** Gives numbers from 0 up to 1. */
      readonly random: () => number;
    }
);

/** Delays that grow by a factor up to a bound, some of them stretched by chance so that many do not retry as one. */
export function exponentialBackoff(options: BackoffOptions): Backoff {
  const { first, factor = 2, most } = options;
  return {
    delayAfter(failures) {
      const exact = first * factor ** Math.max(0, failures - 1);
      const stretched = options.jitter === undefined ? exact : exact * (1 + options.jitter * options.random());
      return milliseconds(Math.min(most, stretched));
    },
  };
}

/** How often, how fast and for which errors an operation is tried again. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly backoff: Backoff;
  /** How often to try at most; for ever unless told otherwise. */
  readonly attempts?: number;
  /** Whether an error is worth another try; all are, except terminal ones, unless told otherwise. */
  readonly retryable?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

/** Runs an operation until it succeeds, its error is not worth another try, or the attempts are used up. */
export async function retrying<T>(
  operation: (attempt: number) => Promise<T>,
  { clock, backoff, attempts = Infinity, retryable = isNotTerminal, signal }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await operation(attempt);
    } catch (error) {
      if (attempt >= attempts || signal?.aborted || !retryable(error)) throw error;
    }
    await clock.sleep(backoff.delayAfter(attempt), signal === undefined ? {} : { signal });
  }
}

function isNotTerminal(error: unknown): boolean {
  return !(error instanceof CapstanError && error.terminal);
}
