export type { Change } from "./change.ts";
export { type ObjectFilter, seenBy } from "./filter.ts";
export { EventStream, type StreamEnd } from "./stream.ts";
