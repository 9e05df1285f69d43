import { type Clock, type Duration, milliseconds, minutes } from "#base";
import type { HookRequest, HookResponse } from "../catalog/hook.ts";
import type { Registration } from "../registry/registration.ts";

/** Keeps answers of handlers that do not change with every question. */
export interface ResponseCache {
  get(key: string): HookResponse | undefined;
  put(key: string, response: HookResponse): void;
  /** How many answers are kept, old ones included. */
  readonly size: number;
}

const lifetime = minutes(10);
// So many handlers with so many settings do not exist; whatever fills it faster than it empties is a mistake.
const mostEntries = 1000;

/** Makes a cache whose answers stand for ten minutes. */
export function createResponseCache(clock: Clock): ResponseCache {
  const entries = new Map<string, { readonly response: HookResponse; readonly until: Duration }>();

  function dropOld(): void {
    // In the order of their coming in, which is that of their end.
    for (const [key, { until }] of entries) {
      if (until > clock.elapsed() && entries.size < mostEntries) return;
      entries.delete(key);
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > clock.elapsed() ? entry.response : undefined;
    },
    put(key, response) {
      dropOld();
      entries.delete(key);
      entries.set(key, { response, until: milliseconds(clock.elapsed() + lifetime) });
    },
    get size() {
      return entries.size;
    },
  };
}

/**
 * Which questions have the same answer: those to one handler, of one ExtensionConfig as it stands, with the same settings
 * and the same of whatever else the answer depends on.
 */
export function cacheKey(
  { name, extensionConfigResourceVersion }: Pick<Registration, "name" | "extensionConfigResourceVersion">,
  { settings = {} }: HookRequest,
  others: readonly string[],
): string {
  const pairs = Object.entries(settings)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${key}=${value}`);
  return [`${name}-${extensionConfigResourceVersion}`, ...pairs, ...others].join(",");
}
