export { apiReader } from "./api-reader.ts";
export {
  type CacheCounter,
  type CacheGauge,
  type CacheMetrics,
  type CacheSummary,
  noCacheMetrics,
} from "./cache/cache-metrics.ts";
export { type CachedClient, createCachedClient } from "./cache/cached-client.ts";
export {
  type CacheChoice,
  type Caches,
  type CacheSettings,
  type CachesOptions,
  createCaches,
  type KindSettings,
} from "./cache/caches.ts";
export {
  type CacheSelection,
  createKindCache,
  type KindCacheOptions,
  type RunningCache,
} from "./cache/create-kind-cache.ts";
export type { EntranceOptions } from "./cache/entrance.ts";
export type { CacheChange, KindCache } from "./cache/kind-cache.ts";
export { dumpReader } from "./dump-reader.ts";
export { CacheStoppedError, IndexExistsError, NotCachedError } from "./cache/errors.ts";
export type { Index, Reader, ReadListOptions, ReadOptions } from "./reader.ts";
