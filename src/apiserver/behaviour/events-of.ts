import type { GroupVersionResource, Transport, WatchEvent, WatchOptions } from "#machinery";

/** A watch that has begun, and what came of it. */
export interface Watching {
  /** The next event, or nothing at the end of the watch. */
  next(): Promise<WatchEvent | undefined>;
  /** The next events that are no bookmarks. */
  take(count: number): Promise<readonly WatchEvent[]>;
  stop(): Promise<void>;
}

/** Begins a watch at once. */
export function watching(transport: Transport, resource: GroupVersionResource, options: WatchOptions = {}): Watching {
  const stop = new AbortController();
  const iterator = transport.watch(resource, { ...options, signal: stop.signal })[Symbol.asyncIterator]();
  // Asked for before anyone wants it, as a watch begins with the first question.
  let ahead: Promise<IteratorResult<WatchEvent>> | undefined = iterator.next();
  ahead.catch(() => {});
  const next = async () => {
    const answer = await (ahead ?? iterator.next());
    ahead = undefined;
    return answer.done === true ? undefined : answer.value;
  };
  return {
    next,
    async take(count) {
      const events: WatchEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === undefined) break;
        if (event.kind !== "bookmark") events.push(event);
      }
      return events;
    },
    async stop() {
      stop.abort();
      await iterator.return?.();
    },
  };
}

/** An event in two words. */
export function brief(event: WatchEvent | undefined): string {
  if (event === undefined) return "end";
  return event.kind === "bookmark" ? "bookmark" : `${event.kind} ${event.object.metadata.name ?? ""}`;
}
