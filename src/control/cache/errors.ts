import { CapstanError } from "#base";

/** Two different indexes of one name, of which only one could be meant. */
export class IndexExistsError extends CapstanError {
  readonly code = "INDEX_EXISTS";

  constructor(name: string) {
    super(`there is another index called ${name} already`);
  }
}

/** Something was asked of caches that have been stopped. */
export class CacheStoppedError extends CapstanError {
  readonly code = "CACHE_STOPPED";
}

/** Objects were asked for that a cache does not hold by choice, so that it cannot tell whether they exist. */
export class NotCachedError extends CapstanError {
  readonly code = "NOT_CACHED";
}
