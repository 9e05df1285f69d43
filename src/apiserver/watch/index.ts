export type { Change } from "./change.ts";
export { Feed, type FeedReader } from "./feed.ts";
export { type ObjectFilter, seenBy } from "./filter.ts";
