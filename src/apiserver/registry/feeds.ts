import type { WatchOptions } from "#machinery";
import type { Collection } from "#apiserver/collection";
import { Feed, type FeedReader, type ObjectFilter, type ReaderPace, seenBy } from "#apiserver/watch";
import type { Engine, Request } from "./engine.ts";
import type { Target } from "./resources.ts";

const mostWaitingEvents = 10_000;
// To tell a watcher takes about a tenth of a millisecond; so long all of them are left in peace, too.
const shortestRest = 2;
const restPerWatcher = 0.1;
const longestRest = 20;

/** What a watcher is to see. */
interface Joining {
  readonly filter: ObjectFilter;
  /** What happened up to this revision is left out. */
  readonly start: number;
  readonly pace: ReaderPace;
}

const feeds = new WeakMap<Collection, Map<string, Feed>>();

/** Joins those who watch the same; the reader gets every change from now on. */
export function joinFeed(engine: Engine, { target, options }: Request<WatchOptions>, joining: Joining): FeedReader {
  return feedFor(engine, target, options, joining).read(joining.pace);
}

function feedFor(engine: Engine, target: Target, options: WatchOptions, joining: Joining): Feed {
  // Whoever waits for a revision that is yet to come sees less than others do.
  if (joining.start > engine.committer.published) return openFeed(engine, target, joining, () => undefined);
  const open = feeds.get(target.collection) ?? new Map<string, Feed>();
  feeds.set(target.collection, open);
  const name = nameOf(target, options);
  const present = open.get(name);
  if (present !== undefined) return present;
  const feed = openFeed(engine, target, joining, () => open.delete(name));
  open.set(name, feed);
  return feed;
}

/** Begins to follow a resource, until nobody reads any more. */
function openFeed(
  { resources }: Engine,
  { collection, definition }: Target,
  { filter, start }: Joining,
  onUnused: () => void,
): Feed {
  const feed = new Feed({
    limit: mostWaitingEvents,
    rest: (watchers, over) => setTimeout(over, Math.min(shortestRest + watchers * restPerWatcher, longestRest)),
    onUnused: () => {
      unsubscribe();
      unfollow();
      onUnused();
    },
  });
  const unsubscribe = collection.subscribe((change) => {
    if (change.revision <= start) return;
    const event = seenBy(filter, change);
    if (event !== undefined) feed.push(event);
  });
  // Whoever watches a resource that is gone, or defined anew, has to ask again.
  const unfollow = resources.subscribe(() => {
    if (resources.find(definition)?.definition !== definition) feed.close();
  });
  return feed;
}

/** The same for those who see the same objects in the same version; two groups can show one collection. */
function nameOf(
  { definition: { group }, version: { version } }: Target,
  { namespace, labelSelector, fieldSelector }: WatchOptions,
): string {
  return JSON.stringify([group, version, namespace, labelSelector, fieldSelector]);
}
