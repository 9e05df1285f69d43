import type { Clock } from "#base";

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

/** Measures each watch that begins, until it is told how many events came in it. */
export function watchMetrics({
  kind,
  clock,
  metrics,
}: {
  readonly kind: string;
  readonly clock: Clock;
  readonly metrics: CacheMetrics;
}): () => (events: number) => void {
  return () => {
    const begun = clock.elapsed();
    metrics.add("reflector_watches_total", kind);
    return (events) => {
      const lasted = clock.elapsed() - begun;
      if (lasted < shortWatchMs && events === 0) metrics.add("reflector_short_watches_total", kind);
      metrics.observe("reflector_watch_duration_seconds", kind, lasted / 1000);
      metrics.observe("reflector_items_per_watch", kind, events);
    };
  };
}
