import { type Clock, type Duration, type Logger, minutes, noTime, toError } from "#base";
import type { AnyKind, ServedKind } from "#client";
import type { ReasonSpelling } from "#conditions";
import { describeGroupKind, type KubeObject, type ObjectKey } from "#machinery";
import type { KindCache } from "../cache/kind-cache.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { ControllerMetrics, Metrics } from "../metrics.ts";
import type { PassClient } from "../pass/pass.ts";
import type { PassRecord } from "../pass/pass-record.ts";
import { runPass } from "../pass/run-pass.ts";
import { createRateLimit } from "../queue/rate-limit.ts";
import { type AddOptions, type QueueEntry, WorkQueue } from "../queue/work-queue.ts";
import type { Reader, ReadOptions } from "../reader.ts";
import type { Reconciler } from "../reconciler.ts";
import { type KindWatch, related, type WatchFor } from "../watches.ts";
import { feedOwn, feedRelated, type FeedOptions } from "./feed.ts";
import { type Fence, fencedClient, fencedReader } from "./fence.ts";
import { LastPasses } from "./last-passes.ts";
import { Patience } from "./patience.ts";
import { Workers, type WorkOptions } from "./workers.ts";

/** What a controller shares with all others of its manager. */
export interface ControllerContext {
  readonly caches: {
    of<Obj extends KubeObject = KubeObject>(
      kind: AnyKind<Obj>,
      options?: { readonly metadataOnly?: boolean } & ReadOptions,
    ): Promise<KindCache<Obj>>;
  };
  readonly reader: Reader;
  readonly client: PassClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly uuid: () => string;
  readonly spelling: ReasonSpelling;
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  /** Throws where this process may not act. */
  readonly mayAct: () => void;
  /** Is told of every pass. */
  readonly onPass: (record: PassRecord) => void;
  /** Is told whenever a controller has nothing to do. */
  readonly onIdle: () => void;
}

/** How a controller runs. */
export interface ControllerOptions<Obj extends KubeObject = KubeObject> {
  /** How many passes may run at once; one unless told otherwise. */
  readonly concurrency?: number;
  /** How long a pass may take; a minute unless told otherwise. */
  readonly passDeadline?: Duration;
  /** At most one pass over an object in so much time; no such limit unless told otherwise. */
  readonly interval?: Duration;
  /** Objects of one group take turns with those of the others; the namespace unless told otherwise. */
  readonly groupOf?: (object: Obj) => string;
  /**
   * How long a status that only explains what its object waits for may be put off while there is anything else to do,
   * because often it is over before anybody reads it; not at all unless told otherwise.
   */
  readonly patience?: Duration;
  /** Of how many objects the last pass is remembered. */
  readonly rememberedPasses?: number;
}

/** A reconciler that runs. */
export interface Controller {
  readonly name: string;
  readonly kind: ServedKind;
  /** Opens the caches and gathers what is there; nothing is done to it yet. */
  prepare(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Makes passes until the signal ends it, and resolves when the last one has ended. */
  work(options: WorkOptions): Promise<void>;
  add(key: ObjectKey, options?: AddOptions): void;
  readonly watch: WatchFor;
  lastPass(key: ObjectKey): PassRecord | undefined;
  lastPasses(): readonly PassRecord[];
  /** True where there is nothing to do that does not wait for a time. */
  readonly isIdle: boolean;
  /** Resolves when it is. */
  idle(): Promise<void>;
  /** True where something waits that would be done at once in a lull. */
  readonly isPatient: boolean;
  /** There is a lull: does what has only waited for it. */
  hurry(): void;
}

/** Makes a controller of a reconciler and what it needs from outside. */
export function createController<Obj extends KubeObject, Facts extends object, Ports>(
  reconciler: Reconciler<Obj, Facts, Ports>,
  ports: Ports,
  context: ControllerContext,
  options: ControllerOptions<Obj> = {},
): Controller {
  const { name, kind } = reconciler;
  const { concurrency = 1, passDeadline = minutes(1), interval, groupOf, rememberedPasses = 10_000 } = options;
  const { clock } = context;
  const patience = new Patience(clock, options.patience ?? noTime);
  const log = context.log.child({ controller: name });
  const metrics: ControllerMetrics = context.metrics.controller(name, { queue: () => queue, concurrency });
  const records = new LastPasses(rememberedPasses);
  const watched = new Map<string, Promise<void>>();
  let ownCache: KindCache<Obj> | undefined;
  let living: AbortSignal | undefined;

  const queue = new WorkQueue({
    clock,
    limit: createRateLimit({ clock, ...(interval === undefined ? {} : { interval }) }),
    ...(groupOf === undefined ? {} : { groupOf: groupOfKey }),
    observer: metrics.queue,
    onReady: () => workers.wake(),
  });
  const workers = new Workers({
    name,
    queue,
    concurrency,
    clock,
    deadline: passDeadline,
    metrics,
    log,
    run: pass,
    record,
    onIdle: context.onIdle,
  });

  const watch: WatchFor = async (other, keysOf, rest) => {
    const id = describeGroupKind(other);
    // The first caller's wish stands, and those after it need not wait for it.
    if (watched.has(id)) return;
    const begun = feed(related(other, keysOf, rest));
    watched.set(id, begun);
    try {
      await begun;
    } catch (error) {
      watched.delete(id);
      throw error;
    }
  };

  return {
    name,
    kind,
    watch,
    add: (key, rest) => queue.add(key, rest),
    lastPass: (key) => records.of(key),
    lastPasses: () => records.all(),
    get isIdle() {
      return workers.isIdle;
    },
    idle: () => workers.idle(),
    get isPatient() {
      return queue.isPatient;
    },
    hurry() {
      patience.end();
      queue.hurry();
    },
    async prepare({ signal }) {
      living = signal;
      ownCache = await context.caches.of(kind, { signal });
      feedOwn(ownCache, reconciler.predicate, feedOptions(signal));
      const feeds = reconciler.watches(ports).map(async (one) => {
        if (one.kind === "kind") await feed(one);
        else one.source.subscribe((key) => queue.add(key), { signal });
      });
      await Promise.all(feeds);
      await ownCache.synced({ signal });
    },
    work: (until) => workers.work(until),
  };

  async function feed(one: KindWatch): Promise<void> {
    const signal = living ?? new AbortController().signal;
    const cache = await context.caches.of(one.of, { signal, ...(one.metadataOnly ? { metadataOnly: true } : {}) });
    feedRelated(cache, one, kind, feedOptions(signal));
    await cache.synced({ signal });
  }

  function feedOptions(signal: AbortSignal): FeedOptions {
    const { reader } = context;
    return { add, reader, clock, log, signal, pending: workers.pending, onUntold: () => metrics.untold() };
  }

  function add(key: ObjectKey, rest: AddOptions): void {
    queue.add(key, rest);
    // Where nothing else happens, nobody else would notice the lull.
    if (rest.orInLull === true) workers.wake();
  }

  /** An object that is not known yet, or of which nobody can tell, is in the group of its namespace. */
  function groupOfKey(key: ObjectKey): string {
    const object = ownCache?.find(key);
    const { namespace = "" } = key;
    try {
      return object === undefined ? namespace : (groupOf?.(object) ?? "");
    } catch (error) {
      log.error("nobody could tell the group of an object", toError(error), { object: key });
      return namespace;
    }
  }

  function pass({ key }: QueueEntry, signal: AbortSignal): Promise<PassRecord> {
    const fence: Fence = {
      signal,
      check() {
        signal.throwIfAborted();
        context.mayAct();
      },
    };
    let client: PassClient | undefined;
    return runPass(reconciler, key, {
      ports,
      reader: fencedReader(context.reader, fence),
      clock,
      // Most passes write nothing, and no line of their own.
      get client() {
        return (client ??= fencedClient(context.client, fence));
      },
      get log() {
        return log.child({ object: key });
      },
      eventsAbout: (object) => context.events.about(object, name),
      watch,
      reconcileId: context.uuid(),
      signal,
      spelling: context.spelling,
      patience: patience.leftFor(key),
    });
  }

  function record(done: PassRecord): void {
    records.put(done);
    patience.note(done);
    metrics.ended(done);
    try {
      context.onPass(done);
    } catch (error) {
      log.error("somebody who listens to passes failed", toError(error));
    }
  }
}
