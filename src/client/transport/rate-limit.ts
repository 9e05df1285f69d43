import { type Clock, milliseconds } from "#base";
import { InvalidRateLimitError } from "../errors.ts";

/** How many requests may be sent: so many at once, and so many per second in the long run. */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

/** Lets requests pass, each at its time. */
export interface RateLimiter {
  /** Resolves when it is the caller's turn, with the milliseconds that it had to wait. */
  pass(options?: { readonly signal?: AbortSignal | undefined }): Promise<number>;
}

/** A bucket of `burst` tokens that refills with `qps` tokens a second; whoever comes first is served first. */
export function createRateLimiter({ qps, burst }: RateLimit, { clock }: { readonly clock: Clock }): RateLimiter {
  if (!(qps > 0) || !(burst >= 1))
    throw new InvalidRateLimitError(
      `a rate limit needs a positive qps and a burst of at least 1, not ${qps} and ${burst}`,
    );
  const perToken = 1000 / qps;
  // When the bucket would be full again if nobody came; in the future by what has been taken.
  let fullAt = Number(clock.elapsed());
  return {
    async pass({ signal } = {}) {
      signal?.throwIfAborted();
      const now = clock.elapsed();
      fullAt = Math.max(fullAt, now) + perToken;
      const wait = fullAt - burst * perToken - now;
      if (wait <= 0) return 0;
      try {
        await clock.sleep(milliseconds(wait), signal === undefined ? {} : { signal });
      } catch (error) {
        // The token goes back, so that those who come later do not wait for nobody.
        fullAt -= perToken;
        throw error;
      }
      return wait;
    },
  };
}
