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
  const counted = byKind(counters, (name, help) => new Counter({ name, help, labelNames, registers }));
  const summed = byKind(summaries, (name, help) => new Summary({ name, help, labelNames, registers, percentiles: [] }));
  const gauged = byKind(gauges, (name, help) => new Gauge({ name, help, labelNames, registers }));
  return {
    add: (metric, kind) => counted(metric, kind).inc(),
    observe: (metric, kind, value) => summed(metric, kind).observe(value),
    set: (metric, kind, value) => gauged(metric, kind).set(value),
  };
}

/** Declares metrics, and finds the one of a kind; it is found again more quickly than its labels could be read. */
function byKind<Name extends string, OfKind>(
  texts: Readonly<Record<Name, string>>,
  declare: (name: Name, help: string) => { labels(kind: string): OfKind },
): (name: Name, kind: string) => OfKind {
  const declared = mapped(texts, (name) => declare(name, texts[name]));
  const found = mapped(texts, () => new Map<string, OfKind>());
  return (name, kind) => {
    const known = found[name].get(kind);
    if (known !== undefined) return known;
    const ofKind = declared[name].labels(kind);
    found[name].set(kind, ofKind);
    return ofKind;
  };
}

function mapped<Name extends string, T>(
  texts: Readonly<Record<Name, string>>,
  make: (name: Name) => T,
): Record<Name, T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the given record
  const names = Object.keys(texts) as Name[];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name gets its value
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;
}
