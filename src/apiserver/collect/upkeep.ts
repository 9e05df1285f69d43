import { type Clock, describeError, type Duration, type Logger, minutes, seconds } from "#base";
import { isConflict, isNotFound } from "#machinery";
import type { Plane } from "#apiserver/registry";
import type { Store } from "#apiserver/store";

const sweepEvery = seconds(10);
const compactEvery = minutes(5);
const leastHistory = 1000;

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

/** Forgets history that is older than five minutes, but always keeps the last thousand revisions. */
export async function compactHistory(store: Store, options: UpkeepOptions): Promise<void> {
  let target = store.revision;
  await repeatedly(compactEvery, options, async () => {
    const to = Math.min(target, store.revision - leastHistory);
    target = store.revision;
    if (to > store.compacted) await store.compact(to, { signal: options.signal });
  });
}

/** Goes on until told to stop; one failure does not end it. */
async function repeatedly(
  every: Duration,
  { clock, log, signal }: UpkeepOptions,
  work: () => Promise<void>,
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
