export type { Change } from "./change.ts";
export { Feed, type FeedReader, type ReaderPace } from "./feed.ts";
export { type ObjectFilter, seenBy } from "./filter.ts";
