import { type Clock, describeError, type Duration, type Logger, seconds } from "#base";
import { isConflict, isNotFound } from "#machinery";
import type { Plane } from "#apiserver/registry";
import type { Store } from "#apiserver/store";

const sweepEvery = seconds(10);

export interface UpkeepOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Deletes objects whose time is over, such as Events. */
export async function sweepExpired(plane: Plane, store: Store, options: UpkeepOptions): Promise<void> {
  await repeatedly(sweepEvery, options, async () => {
    // Read to the end first: a walk over the store must not wait in between.
    const expired = Array.from(store.expired(options.clock.instant()));
    for (const { key, revision } of expired) {
      const { group, resource, namespace, name } = key;
      const preconditions = { resourceVersion: String(revision) };
      try {
        await plane.remove({ group, resource }, { namespace, name }, { preconditions });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  });
}

/** Goes on until told to stop; one failure does not end it. */
export async function repeatedly(
  every: Duration,
  { clock, log, signal }: UpkeepOptions,
  work: () => void | Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleep(every, { signal });
      await work();
    } catch (error) {
      if (signal.aborted) return;
      log.error("upkeep failed and will be tried again", error, { error: describeError(error) });
    }
  }
}
