import type { Reader } from "#control";

/** What reads one object at a time: a cache, a client, a dump. */
export type ObjectReader = Pick<Reader, "get">;
