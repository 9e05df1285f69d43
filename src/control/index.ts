export type { CacheChange, KindCache } from "./cache/kind-cache.ts";
export type { Index, Reader, ReadListOptions, ReadOptions } from "./reader.ts";
