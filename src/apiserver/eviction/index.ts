export { type EvictionParts, evictions } from "./eviction.ts";
