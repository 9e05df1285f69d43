import { type Clock, minutes, timestampOf } from "#base";
import { createBucket } from "../queue/rate-limit.ts";
import { BoundedMap } from "../bounded-map.ts";

/** Something that happened to an object. */
export interface Happening {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The object, as text that is equal for equal objects. */
  readonly about: string;
  /** Who tells it. */
  readonly component: string;
}

/** What to write about it: an Event of its own, or one that counts again. */
export interface Telling {
  /** Equal for happenings that are told in one Event. */
  readonly id: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

// Upstream's numbers: after ten different messages in ten minutes the rest share an Event; per object 25 at once and one
// every five minutes then; and 4096 of everything are remembered.
const mostSimilar = 10;
const similarWithin = minutes(10);
const perObject = { perSecond: 1 / 300, burst: 25 };
const remembered = 4096;

interface Similar {
  readonly messages: Set<string>;
  last: number;
}

/** Decides what is worth an Event, so that a loop that fails every second does not fill the server. */
export class Correlator {
  readonly #clock: Clock;
  readonly #similar = new BoundedMap<string, Similar>(remembered);
  readonly #told = new BoundedMap<string, Telling>(remembered);
  readonly #buckets = new BoundedMap<string, ReturnType<typeof createBucket>>(remembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to write, or nothing where the object has been talked about too much already. */
  correlate({ type, reason, message, about, component }: Happening): Telling | undefined {
    const group = [component, about, type, reason].join("\0");
    const isCombined = this.#isOneTooMany(group, message);
    const source = [component, about].join("\0");
    const bucket = this.#buckets.get(source) ?? createBucket(this.#clock, perObject);
    this.#buckets.set(source, bucket);
    if (!bucket.tryTake()) return undefined;

    const id = isCombined ? group : [group, message].join("\0");
    const now = timestampOf(this.#clock.instant());
    const before = this.#told.get(id);
    const telling: Telling = {
      id,
      message: isCombined ? `(combined from similar events): ${message}` : message,
      count: (before?.count ?? 0) + 1,
      firstTimestamp: before?.firstTimestamp ?? now,
      lastTimestamp: now,
    };
    this.#told.set(id, telling);
    return telling;
  }

  /** The Event is not there any more, so that the next one begins anew. */
  forget(id: string): void {
    this.#told.delete(id);
  }

  #isOneTooMany(group: string, message: string): boolean {
    const now = this.#clock.elapsed();
    const known = this.#similar.get(group);
    const similar =
      known !== undefined && now - known.last <= similarWithin ? known : { messages: new Set<string>(), last: now };
    similar.last = now;
    similar.messages.add(message);
    this.#similar.set(group, similar);
    if (similar.messages.size < mostSimilar) return false;
    // One more could be added for ever; which ones they were does not matter any more.
    const [oldest] = similar.messages;
    if (oldest !== undefined) similar.messages.delete(oldest);
    return true;
  }
}
