import { type Backoff, type Clock, type Duration, exponentialBackoff, milliseconds, noTime, seconds } from "#base";

/** How long an object that failed has to wait. */
export interface RateLimit {
  /** The delay before the next try, after so many failures in a row. */
  delayAfter(failures: number): Duration;
  /** How long after the beginning of one pass over an object the next one may begin. */
  readonly interval: Duration;
}

/** How a rate limit differs from the usual one. */
export interface RateLimitOptions {
  readonly clock: Clock;
  /** At most one pass over an object in so much time, as the gate ReconcilerRateLimiting asks for; none otherwise. */
  readonly interval?: Duration;
}

const perObject = { first: milliseconds(5), factor: 2, most: seconds(1000) };
const allTogether = { perSecond: 10, burst: 100 };

/** 5 ms after the first failure and twice as long after each further one, up to 1000 s; and ten a second in all. */
export function createRateLimit({ clock, interval = noTime }: RateLimitOptions): RateLimit {
  const backoff: Backoff = exponentialBackoff(perObject);
  if (interval > 0) {
    return {
      interval,
      delayAfter: (failures) => milliseconds(Math.min(perObject.most, interval + backoff.delayAfter(failures))),
    };
  }
  const bucket = createBucket(clock, allTogether);
  return {
    interval,
    delayAfter: (failures) => milliseconds(Math.max(backoff.delayAfter(failures), bucket.take())),
  };
}

/** A bucket of tokens that fills up evenly; whoever finds it empty is told when his token will be there. */
export function createBucket(
  clock: Pick<Clock, "elapsed">,
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
): { take(): Duration; tryTake(): boolean } {
  let tokens = burst;
  let filled = clock.elapsed();
  const fill = (): void => {
    const now = clock.elapsed();
    tokens = Math.min(burst, tokens + ((now - filled) / 1000) * perSecond);
    filled = now;
  };
  return {
    take() {
      fill();
      tokens -= 1;
      return tokens >= 0 ? noTime : milliseconds((-tokens / perSecond) * 1000);
    },
    tryTake() {
      fill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
