import { type Clock, type Duration, milliseconds, noTime } from "#base";
import { namespacedName, type ObjectKey } from "#machinery";
import type { RateLimit } from "./rate-limit.ts";
import { ReadyList, type Turn } from "./ready-list.ts";
import { WaitingList, type Waiter } from "./waiting-list.ts";

/** What comes at start-up, or is only shown again, gives way to what happens. */
export const priorities = { usual: 0, low: -100 } as const;

/** An object whose turn it is: given back to the queue when its pass has ended. */
export interface QueueEntry {
  readonly key: ObjectKey;
  /** How many passes in a row have failed. */
  readonly failures: number;
}

/** Is told what happens in a queue. */
export interface QueueObserver {
  added(): void;
  taken(waited: Duration): void;
  done(worked: Duration): void;
  retried(): void;
}

/** How a queue behaves, and whom it tells. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly limit: RateLimit;
  /** Objects of one group take turns with those of the others; the namespace unless told otherwise. */
  readonly groupOf?: (key: ObjectKey) => string;
  readonly observer?: QueueObserver;
  /** Is called whenever something may be taken that could not be taken before. */
  readonly onReady: () => void;
}

class Entry implements QueueEntry, Turn, Waiter {
  readonly id: string;
  readonly key: ObjectKey;
  readonly group: string;
  failures = 0;
  turn: number | undefined;
  readyAt: number | undefined;
  /** The priority that it has when its time has come. */
  laterPriority: number = priorities.low;
  /** When its pass began; undefined while none runs. */
  runningSince: Duration | undefined;
  /** What happened to it while its pass ran, and how urgent it is. */
  again: number | undefined;
  addedAt: Duration = noTime;

  constructor(id: string, key: ObjectKey, group: string) {
    this.id = id;
    this.key = key;
    this.group = group;
  }
}

/**
 * Objects that have to be looked at. An object is in it once, however often it is added, and never in two hands: what
 * happens to it during its pass makes it come again afterwards.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #groupOf: (key: ObjectKey) => string;
  readonly #observer: QueueObserver | undefined;
  readonly #onReady: () => void;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new ReadyList<Entry>();
  readonly #waiting = new WaitingList<Entry>();
  readonly #running = new Set<Entry>();
  /** Those that need not wait any longer once there is nothing else to do. */
  readonly #patient = new Set<Entry>();
  /** When the last pass over each object began, the longest ago first; only kept where passes have an interval. */
  readonly #begun = new Map<string, Duration>();
  #alarm: { readonly at: number; readonly stop: AbortController } | undefined;
  #isClosed = false;

  constructor({ clock, limit, groupOf = ({ namespace = "" }) => namespace, observer, onReady }: WorkQueueOptions) {
    this.#clock = clock;
    this.#limit = limit;
    this.#groupOf = groupOf;
    this.#observer = observer;
    this.#onReady = onReady;
  }

  /** How many could be taken at once. */
  get depth(): number {
    return this.#ready.size;
  }

  depths(): ReturnType<ReadyList<Entry>["depths"]> {
    return this.#ready.depths();
  }

  /** How long each pass that is under way has been so. */
  runningFor(): readonly Duration[] {
    const now = this.#clock.elapsed();
    return [...this.#running].map(({ runningSince = now }) => milliseconds(now - runningSince));
  }

  /** True where nothing is under way and nothing could be; what waits for a time does not count. */
  get isIdle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  /** True where something waits that comes sooner in a lull. */
  get isPatient(): boolean {
    return this.#patient.size > 0;
  }

  /** Adds an object, now or after some time. */
  add(key: ObjectKey, { priority = priorities.usual, after = noTime, orInLull = false }: AddOptions = {}): void {
    if (this.#isClosed) return;
    const entry = this.#entryOf(key);
    this.#observer?.added();
    this.#put(entry, priority, { after: Math.max(after, this.#pause(entry)), orInLull });
  }

  /** There is nothing else to do: whoever waits for a lull comes at once. */
  hurry(): void {
    for (const entry of this.#patient) this.#put(entry, entry.laterPriority);
  }

  /** The object whose turn it is. */
  take(): QueueEntry | undefined {
    const entry = this.#ready.take();
    if (entry === undefined) return undefined;
    const now = this.#clock.elapsed();
    entry.runningSince = now;
    this.#running.add(entry);
    if (this.#limit.interval > 0) {
      this.#begun.delete(entry.id);
      this.#begun.set(entry.id, now);
    }
    this.#observer?.taken(milliseconds(now - entry.addedAt));
    return entry;
  }

  /** Gives an object back whose pass has ended well, or has ended badly and is not tried again. */
  done(entry: QueueEntry): void {
    const own = this.#own(entry);
    if (own === undefined) return;
    own.failures = 0;
    this.#release(own);
  }

  /** Gives an object back whose pass has failed: it comes again, the later the more often it has failed. */
  retry(entry: QueueEntry): void {
    const own = this.#own(entry);
    if (own === undefined) return;
    own.failures++;
    this.#observer?.retried();
    const delay = this.#limit.delayAfter(own.failures);
    this.#release(own, { after: delay });
  }

  /** Gives an object back that is to be looked at after some time. */
  doneFor(entry: QueueEntry, after: Duration, { orInLull = false }: Pick<AddOptions, "orInLull"> = {}): void {
    const own = this.#own(entry);
    if (own === undefined) return;
    own.failures = 0;
    this.#release(own, { after, orInLull });
  }

  /** Takes nothing any more and lets go of its alarm. */
  close(): void {
    this.#isClosed = true;
    this.#alarm?.stop.abort("closed");
    this.#alarm = undefined;
  }

  #entryOf(key: ObjectKey): Entry {
    const id = namespacedName(key);
    const present = this.#entries.get(id);
    if (present !== undefined) return present;
    const entry = new Entry(id, key, this.#groupOf(key));
    this.#entries.set(id, entry);
    return entry;
  }

  #own(entry: QueueEntry): Entry | undefined {
    return entry instanceof Entry && this.#running.has(entry) ? entry : undefined;
  }

  /** How long the object has to wait because a pass over it has only just begun. */
  #pause(entry: Entry): number {
    const { interval } = this.#limit;
    if (interval === 0) return 0;
    const begun = this.#begun.get(entry.id);
    return begun === undefined ? 0 : Math.max(0, begun + interval - this.#clock.elapsed());
  }

  #put(entry: Entry, priority: number, { after = 0, orInLull = false }: Later = {}): void {
    if (after > 0) {
      // Whoever is in line already comes sooner.
      if (entry.turn !== undefined || entry.again !== undefined) return;
      entry.laterPriority = Math.max(entry.laterPriority, priority);
      if (orInLull) this.#patient.add(entry);
      this.#waiting.put(entry, this.#clock.elapsed() + after);
      this.#setAlarm();
      return;
    }
    entry.readyAt = undefined;
    entry.laterPriority = priorities.low;
    this.#patient.delete(entry);
    if (entry.runningSince !== undefined) {
      entry.again = Math.max(entry.again ?? priority, priority);
      return;
    }
    if (entry.turn === undefined) entry.addedAt = this.#clock.elapsed();
    this.#ready.put(entry, priority);
    this.#onReady();
  }

  #release(entry: Entry, later?: Later & { readonly after: Duration }): void {
    const { runningSince, again } = entry;
    const now = this.#clock.elapsed();
    entry.runningSince = undefined;
    entry.again = undefined;
    this.#running.delete(entry);
    if (runningSince !== undefined) this.#observer?.done(milliseconds(now - runningSince));
    this.#forgetOldPasses(now);
    if (!this.#isClosed) {
      const pause = this.#pause(entry);
      if (again !== undefined) this.#put(entry, again, { after: pause });
      else if (later !== undefined)
        this.#put(entry, priorities.usual, { ...later, after: Math.max(later.after, pause) });
    }
    if (entry.turn === undefined && entry.readyAt === undefined && entry.failures === 0) this.#entries.delete(entry.id);
  }

  #forgetOldPasses(now: Duration): void {
    const { interval } = this.#limit;
    if (interval === 0) return;
    for (const [id, begun] of this.#begun) {
      if (begun + interval > now) return;
      this.#begun.delete(id);
    }
  }

  /** Sees to it that somebody wakes up when the next object's time has come. */
  #setAlarm(): void {
    const at = this.#waiting.earliest;
    if (at === undefined || (this.#alarm !== undefined && this.#alarm.at <= at)) return;
    this.#alarm?.stop.abort("earlier");
    const alarm = { at, stop: new AbortController() };
    this.#alarm = alarm;
    this.#clock.sleep(milliseconds(Math.max(0, at - this.#clock.elapsed())), { signal: alarm.stop.signal }).then(
      () => this.#ring(alarm),
      () => undefined,
    );
  }

  #ring(alarm: object): void {
    if (this.#alarm !== alarm) return;
    this.#alarm = undefined;
    const now = this.#clock.elapsed();
    for (let entry = this.#waiting.take(now); entry !== undefined; entry = this.#waiting.take(now))
      this.#put(entry, entry.laterPriority);
    this.#setAlarm();
  }
}

/** How urgent an object is, and when. */
export interface AddOptions {
  readonly priority?: number;
  readonly after?: Duration;
  /** Whether it may come sooner once there is nothing else to do: it waits for company, not for a time. */
  readonly orInLull?: boolean;
}

interface Later {
  readonly after?: number;
  readonly orInLull?: boolean;
}
