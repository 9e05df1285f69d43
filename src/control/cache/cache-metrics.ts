import type { Clock } from "#base";
import type { Transport, WatchEvent } from "#machinery";

/** What is counted. */
export type CacheCounter =
  | "reflector_lists_total"
  | "reflector_watches_total"
  | "reflector_short_watches_total"
  | "capstan_cache_events_total"
  | "capstan_cache_problems_total";

/** What is measured again and again. */
export type CacheSummary =
  | "reflector_list_duration_seconds"
  | "reflector_items_per_list"
  | "reflector_watch_duration_seconds"
  | "reflector_items_per_watch";

/** What goes up and down. */
export type CacheGauge = "reflector_last_resource_version" | "capstan_cache_objects";

/** Takes numbers about caches, by kind, under the names that client-go's reflectors give them where they do. */
export interface CacheMetrics {
  add(metric: CacheCounter, kind: string): void;
  observe(metric: CacheSummary, kind: string, value: number): void;
  set(metric: CacheGauge, kind: string, value: number): void;
}

/** Lets all numbers go. */
export const noCacheMetrics: CacheMetrics = { add: () => undefined, observe: () => undefined, set: () => undefined };

// As client-go has it.
const shortWatchMs = 1000;

type Watched = Pick<Transport, "list" | "watch">;

/** The same transport, whose watches are measured. */
export function measuredWatches(
  transport: Watched,
  { kind, clock, metrics }: { readonly kind: string; readonly clock: Clock; readonly metrics: CacheMetrics },
): Watched {
  return {
    list: (resource, options) => transport.list(resource, options),
    watch: (resource, options) => ({
      [Symbol.asyncIterator]: () => measured(transport.watch(resource, options)[Symbol.asyncIterator]()),
    }),
  };

  /** Looks on from aside: whoever waits for an event waits for nobody else. */
  function measured(events: AsyncIterator<WatchEvent>): AsyncIterator<WatchEvent> {
    const begun = clock.elapsed();
    let items = 0;
    let isOver = false;
    metrics.add("reflector_watches_total", kind);
    return {
      next() {
        const next = events.next();
        next.then(({ value, done = false }) => (done ? end() : count(value)), end);
        return next;
      },
      async return() {
        end();
        await events.return?.();
        return { done: true, value: undefined };
      },
    };

    function count(event: WatchEvent): void {
      if (event.kind !== "bookmark") items += 1;
    }

    function end(): void {
      if (isOver) return;
      isOver = true;
      const lasted = clock.elapsed() - begun;
      if (lasted < shortWatchMs && items === 0) metrics.add("reflector_short_watches_total", kind);
      metrics.observe("reflector_watch_duration_seconds", kind, lasted / 1000);
      metrics.observe("reflector_items_per_watch", kind, items);
    }
  }
}
