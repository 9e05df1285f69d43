import type { WatchEvent } from "#machinery";

const mostTogether = 100;

/** Events that are told together, and the way to those that come after them. */
interface Link {
  readonly events: readonly WatchEvent[];
  /** How many events there have been up to the end of this link. */
  readonly upTo: number;
  next: Link | undefined;
}

interface FeedOptions {
  /** About so many events may wait for a reader. */
  readonly limit: number;
  /** The last reader has gone. */
  readonly onUnused: () => void;
  /** Calls back when those who gather events, so many of them, have gathered for long enough. */
  readonly rest: (gatherers: number, over: () => void) => void;
}

/**
 * When a reader is told of events: at once, or, while there is one after the other, several at a time. To wake a client
 * on the other end of a connection costs both sides more than the event does.
 */
export type ReaderPace = "at-once" | "gathered";

/**
 * The events of all who watch the same, as a chain that grows at its end. Every reader walks along it at its own pace,
 * so that an event costs the same however many watch, and what all of them have passed is forgotten. The writer never
 * waits: a reader that falls too far behind gets what is there and then the end, and resumes at the last revision that
 * it saw.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #readers = new Set<FeedReader>();
  #last: Link = { events: [], upTo: 0, next: undefined };
  #gathered: WatchEvent[] = [];
  #tellingIsDue = false;
  /** Whether those who gather have just been told, and whether there is something for them since. */
  #rest: "over" | "begun" | "begun-with-news" = "over";

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  push(event: WatchEvent): void {
    this.#gathered.push(event);
    if (this.#gathered.length === mostTogether) this.#extend();
    if (this.#tellingIsDue) return;
    this.#tellingIsDue = true;
    // What comes in the same turn is told together.
    queueMicrotask(() => this.#tell());
  }

  /** A reader of everything from now on. */
  read(pace: ReaderPace): FeedReader {
    const reader = new FeedReader(
      pace,
      this.#last,
      () => this.#extend(),
      () => {
        this.#readers.delete(reader);
        if (this.#readers.size === 0) this.#options.onUnused();
      },
    );
    // Before the chain grows: if the last of the others is too slow, it is let go then, and the feed is not to go with it.
    this.#readers.add(reader);
    reader.skip();
    return reader;
  }

  /** Ends all readers after what there is so far. */
  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  #tell(): void {
    this.#tellingIsDue = false;
    this.#extend();
    this.#awaken("at-once");
    if (this.#rest === "over") this.#tellGatherers();
    else this.#rest = "begun-with-news";
  }

  /** The first event after a while is told at once, those that follow it close by after a rest. */
  #tellGatherers(): void {
    const gatherers = this.#awaken("gathered");
    if (gatherers === 0) return;
    this.#rest = "begun";
    this.#options.rest(gatherers, () => {
      const isNews = this.#rest === "begun-with-news";
      this.#rest = "over";
      if (isNews) this.#tellGatherers();
    });
  }

  /** Awakens those of a pace, and tells how many they are. */
  #awaken(pace: ReaderPace): number {
    let awakened = 0;
    for (const reader of this.#readers) {
      if (reader.pace !== pace) continue;
      awakened += 1;
      reader.awaken();
    }
    return awakened;
  }

  /** Puts what has been gathered on the chain, and gives the end of it. */
  #extend(): Link {
    if (this.#gathered.length === 0) return this.#last;
    const events = this.#gathered;
    const previous = this.#last;
    this.#gathered = [];
    for (const reader of this.#readers) if (previous.upTo - reader.upTo >= this.#options.limit) reader.close();
    this.#last = { events, upTo: previous.upTo + events.length, next: undefined };
    previous.next = this.#last;
    return this.#last;
  }
}

/** One watcher's place in a feed. */
export class FeedReader {
  readonly pace: ReaderPace;
  readonly #feedEnd: () => Link;
  readonly #onClose: () => void;
  #at: Link;
  /** What this reader alone gets, each after a link. */
  #own: { readonly after: Link; readonly event: WatchEvent }[] = [];
  /** What is left to be read of a reader that is closed: it lets go of the chain, which grows on. */
  #rest: (readonly WatchEvent[])[] | undefined;
  #wake: (() => void) | undefined;

  constructor(pace: ReaderPace, at: Link, feedEnd: () => Link, onClose: () => void) {
    this.pace = pace;
    this.#at = at;
    this.#feedEnd = feedEnd;
    this.#onClose = onClose;
  }

  /** How many events there were up to this reader's place. */
  get upTo(): number {
    return this.#at.upTo;
  }

  /** Leaves out all that there is so far. */
  skip(): void {
    this.#at = this.#feedEnd();
  }

  /** Gives this reader an event of its own, after all that there are so far. */
  add(event: WatchEvent): void {
    // This closes a reader that is too slow.
    const after = this.#feedEnd();
    if (this.#rest !== undefined) return;
    this.#own.push({ after, event });
    this.awaken();
  }

  /** What is told together next; nothing at the end. All who read a feed get the very same list. */
  async next(): Promise<readonly WatchEvent[] | undefined> {
    for (;;) {
      const events = this.#rest === undefined ? this.#take() : this.#rest.shift();
      if (events !== undefined || this.#rest !== undefined) return events;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  /** Ends the reader after what there is so far. */
  close(): void {
    if (this.#rest !== undefined) return;
    this.#rest = [];
    this.#feedEnd();
    for (let events = this.#take(); events !== undefined; events = this.#take()) this.#rest.push(events);
    this.#at = { events: [], upTo: this.upTo, next: undefined };
    this.#onClose();
    this.awaken();
  }

  /** Ends the reader at once. */
  leave(): void {
    this.close();
    this.#rest = [];
  }

  awaken(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #take(): readonly WatchEvent[] | undefined {
    if (this.#own[0]?.after === this.#at) return this.#own.splice(0, 1).map(({ event }) => event);
    const { next } = this.#at;
    if (next !== undefined) this.#at = next;
    return next?.events;
  }
}
