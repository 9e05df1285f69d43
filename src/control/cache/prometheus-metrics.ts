import { Counter, Gauge, type Registry, Summary } from "prom-client";
import type { CacheCounter, CacheGauge, CacheMetrics, CacheSummary } from "./cache-metrics.ts";

const counters: Readonly<Record<CacheCounter, string>> = {
  reflector_lists_total: "How often everything was told.",
  reflector_watches_total: "Watches that were begun.",
  reflector_short_watches_total: "Watches that ended at once and told nothing.",
  capstan_cache_events_total: "Changes that servers told.",
  capstan_cache_problems_total: "What went wrong while following a server and was tried again.",
};

const summaries: Readonly<Record<CacheSummary, string>> = {
  reflector_list_duration_seconds: "How long it took to be told everything.",
  reflector_items_per_list: "How many objects that was.",
  reflector_watch_duration_seconds: "How long watches lasted.",
  reflector_items_per_watch: "How many changes they told.",
};

const gauges: Readonly<Record<CacheGauge, string>> = {
  reflector_last_resource_version: "Up to which revision a cache has been told everything.",
  capstan_cache_objects: "Objects in a cache.",
};

/** Keeps the numbers of caches in a registry, each with its kind as `name`. */
export function cacheMetricsIn(registry: Registry): CacheMetrics {
  const registers = [registry];
  const labelNames = ["name"] as const;
  const counted = declared(counters, (name, help) => new Counter({ name, help, labelNames, registers }));
  const summed = declared(
    summaries,
    (name, help) => new Summary({ name, help, labelNames, registers, percentiles: [] }),
  );
  const gauged = declared(gauges, (name, help) => new Gauge({ name, help, labelNames, registers }));
  return {
    add: (metric, kind) => counted.get(metric)?.inc({ name: kind }),
    observe: (metric, kind, value) => summed.get(metric)?.observe({ name: kind }, value),
    set: (metric, kind, value) => gauged.get(metric)?.set({ name: kind }, value),
  };
}

function declared<Name extends string, Metric>(
  texts: Readonly<Record<Name, string>>,
  declare: (name: string, help: string) => Metric,
): ReadonlyMap<string, Metric> {
  return new Map(Object.entries<string>(texts).map(([name, help]) => [name, declare(name, help)]));
}
