import { type Duration, milliseconds, minutes } from "#base";
import { ApiError, expired, type KubeObject, type WatchEvent, type WatchOptions } from "#machinery";
import { type FeedReader, type ObjectFilter, type ReaderPace, seenBy } from "#apiserver/watch";
import type { Engine, Request } from "./engine.ts";
import { joinFeed } from "./feeds.ts";
import { checkWatchOptions } from "./list-options.ts";
import type { Target } from "./resources.ts";
import { awaitRevision, badNumber } from "./revisions.ts";
import { filterOf } from "./select.ts";
import { storedChanges } from "./stored-state.ts";
import { shownIn } from "./versions.ts";

const bookmarkEvery = minutes(1);
const shortestWatch = minutes(30);

/**
 * Watches a resource: what is there, if that is asked for, then every change as it becomes durable. Ends when its time is
 * over or when it cannot keep up; the caller resumes from the last revision that it saw.
 */
export async function* watchObjects(
  engine: Engine,
  requested: () => Request<WatchOptions>,
): AsyncGenerator<WatchEvent> {
  const watching = await openWatch(engine, requested, "at-once");
  try {
    for (let batch = await watching.next(); batch !== undefined; batch = await watching.next()) yield* batch.events;
  } finally {
    watching.close();
  }
}

/** Events that come together. */
export interface WatchBatch {
  readonly events: readonly WatchEvent[];
  /** True for a list of events that all who watch the same get, the very same one. */
  readonly shared: boolean;
}

/** A watch that gives events by the batch: all that became durable together come together. */
export interface Watching {
  /** The next events; none when the watch is over. */
  next(): Promise<WatchBatch | undefined>;
  close(): void;
}

/** Begins a watch; what is wrong with its options, or with the revision to begin at, is known when this resolves. */
export async function openWatch(
  engine: Engine,
  requested: () => Request<WatchOptions>,
  pace: ReaderPace,
): Promise<Watching> {
  const request = requested();
  const { target, options } = request;
  checkWatchOptions(options);
  const filter = filterOf(target, options);
  const start = startOf(options.resourceVersion);
  if (start > engine.committer.published && options.sendInitialEvents === true) {
    await awaitRevision(engine, start, options.signal);
    // Meanwhile it may have been defined anew.
    return await openWatch(engine, requested, pace);
  }
  const end = new AbortController();
  let first = beginning(engine, request, filter, start);
  // Joined in the same turn in which the beginning was read, so that nothing falls between the two.
  const reader = joinFeed(engine, request, { filter, start, pace });
  void keepTime(engine, options, reader, end.signal);
  return {
    async next() {
      if (first.length > 0) {
        const events = first;
        // A watch lasts longer than what it begins with.
        first = [];
        return { events: await inVersion(target, events), shared: false };
      }
      const events = await reader.next();
      return events && { events: await sharedInVersion(target, events), shared: true };
    },
    close() {
      end.abort();
      reader.leave();
    },
  };
}

function startOf(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError({ httpCode: 500, reason: "", message: badNumber(text) });
}

/** What comes before the first live event. */
function beginning(
  engine: Engine,
  { target, options }: Request<WatchOptions>,
  filter: ObjectFilter,
  start: number,
): readonly WatchEvent[] {
  const { published } = engine.committer;
  const initial = options.sendInitialEvents ?? start === 0;
  if (!initial) return start === 0 ? [] : missed(engine, target, filter, start);
  const added = target.collection.list(filter.namespace).filter((object) => isSeen(filter, object));
  const events: WatchEvent[] = added.map((object) => ({ kind: "added", object }));
  if (options.sendInitialEvents === true && options.allowWatchBookmarks === true) {
    events.push({ kind: "bookmark", resourceVersion: String(published), initialEventsEnd: true });
  }
  return events;
}

function isSeen({ name, matches }: ObjectFilter, object: KubeObject): boolean {
  return (name === undefined || object.metadata.name === name) && (matches === undefined || matches(object));
}

/** What happened since the caller last looked: from memory if that goes back far enough, else from the store. */
function missed(engine: Engine, { collection }: Target, filter: ObjectFilter, start: number): readonly WatchEvent[] {
  const { store, committer } = engine;
  const remembered = collection.changesAfter(start);
  if (remembered === undefined && start < store.compacted) {
    throw expired(`too old resource version: ${start} (${store.compacted})`);
  }
  const changes = remembered ?? storedChanges(store, collection, start);
  return changes.flatMap((change) => {
    // The store can be a step ahead of what has been published; those changes arrive live.
    const event = change.revision > committer.published ? undefined : seenBy(filter, change);
    return event === undefined ? [] : [event];
  });
}

/** Sends bookmarks now and then, and ends the watch when its time is over. */
async function keepTime(engine: Engine, options: WatchOptions, reader: FeedReader, ended: AbortSignal): Promise<void> {
  const { clock, committer } = engine;
  const signal = options.signal === undefined ? ended : AbortSignal.any([options.signal, ended]);
  const bookmark = () => {
    if (options.allowWatchBookmarks !== true) return;
    reader.add({ kind: "bookmark", resourceVersion: String(committer.published), initialEventsEnd: false });
  };
  let left: Duration = options.timeout ?? milliseconds(shortestWatch * (1 + engine.random()));
  try {
    while (left > 0) {
      const nap = milliseconds(Math.min(left, bookmarkEvery));
      await clock.sleep(nap, { signal });
      left = milliseconds(left - nap);
      bookmark();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    reader.close();
  }
}

const shown = new WeakMap<readonly WatchEvent[], Promise<readonly WatchEvent[]>>();

/** Events of a feed, brought once for all of its readers into the version that they asked for. */
function sharedInVersion(target: Target, events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
  const known = shown.get(events);
  if (known !== undefined) return known;
  const converted = inVersion(target, events);
  shown.set(events, converted);
  // Whoever comes later may have better luck.
  converted.catch(() => shown.delete(events));
  return converted;
}

async function inVersion(target: Target, events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
  const kept = events.flatMap((event) => (event.kind === "bookmark" ? [] : [event.object]));
  const converted = await shownIn(target, kept);
  if (converted === kept) return events;
  let at = 0;
  return events.map((event) => {
    const object = event.kind === "bookmark" ? undefined : converted[at++];
    return event.kind === "bookmark" || object === undefined ? event : { kind: event.kind, object };
  });
}
