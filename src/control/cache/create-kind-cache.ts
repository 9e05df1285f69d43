import { setMaxListeners } from "node:events";
import { type Clock, type Duration, type Logger, milliseconds } from "#base";
import type { ServedKind } from "#client";
import { describeKey, keyOf, type KubeObject, type ObjectKey, type Transport } from "#machinery";
import type { ReadOptions } from "../reader.ts";
import { type CacheMetrics, noCacheMetrics } from "./cache-metrics.ts";
import { catchUp } from "./catch-up.ts";
import { entranceOf, type EntranceOptions } from "./entrance.ts";
import { CacheStoppedError, NotCachedError } from "./errors.ts";
import { Follower } from "./follower.ts";
import { HeldObjects } from "./held-objects.ts";
import type { KindCache } from "./kind-cache.ts";
import { Pulse } from "./pulse.ts";
import { Replica } from "./replica.ts";
import { type CacheSelection, selectedBy } from "./selection.ts";
import { Subscribers } from "./subscribers.ts";

/** What a cache holds, and what it needs from outside. */
export interface KindCacheOptions extends EntranceOptions {
  readonly transport: Pick<Transport, "list" | "watch">;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
  readonly selection?: CacheSelection;
  /** How often all objects are shown again; never, unless told otherwise. */
  readonly resyncEvery?: Duration;
  readonly metrics?: CacheMetrics;
  /** Whether the server serves the kind at all: asked when it says that it has no such collection. */
  readonly isServed?: (options: ReadOptions) => Promise<boolean>;
}

/** A cache that runs until it is stopped. */
export interface RunningCache<Obj extends KubeObject = KubeObject> extends KindCache<Obj>, AsyncDisposable {
  /** False for a namespace that is none of its own. */
  holds(namespace: string | undefined): boolean;
  /** Takes in what a write was answered with, unless something newer is here. */
  written(object: KubeObject): void;
  /** The object of this uid was deleted. */
  gone(key: ObjectKey, uid: string): void;
  /** Resolves once the cache has all that the server has at the time of the call. */
  caughtUp(options?: ReadOptions): Promise<void>;
}

/** Follows all objects of a kind, or a selection of them, and keeps them in memory until it is stopped. */
export function createKindCache<Obj extends KubeObject>(
  kind: ServedKind<Obj>,
  options: KindCacheOptions,
): RunningCache<Obj> {
  const { clock, random, metadataOnly = false, metrics = noCacheMetrics, resyncEvery } = options;
  const { isServed = () => Promise.resolve(true) } = options;
  const { resource } = kind;
  const log = options.log.child({ group: kind.group, kind: kind.kind });
  const selected = selectedBy(kind, options.selection ?? {});
  const { selectors } = selected;
  const pulse = new Pulse();
  const stop = new AbortController();
  // Whoever waits for the cache listens for its end.
  setMaxListeners(0, stop.signal);
  const held = new HeldObjects<Obj>((error) => log.error("an index of a cache failed", error));
  const subscribers = new Subscribers<Obj>((error) => log.error("a subscriber of a cache failed", error));
  const replica = new Replica<Obj>({
    held,
    enter: entranceOf(kind, { metadataOnly, keep }),
    isSelected: (object) => selected.includes(object),
    tell(change) {
      subscribers.tell(change);
      metrics.set("capstan_cache_objects", kind.kind, held.size);
    },
  });
  const { transport } = options;
  const tools = { transport, kind: kind.kind, resource, replica, clock, random, log, metrics, isServed, pulse };
  const olderVersion = (key: ObjectKey): Obj | undefined => held.find(key);
  const lean = { metadataOnly, withoutManagedFields: true, unfrozen: true, olderVersion };
  const followers = selected.namespaces.map(
    (namespace) => new Follower<Obj>({ ...tools, asked: { ...selectors, ...lean, namespace } }),
  );
  const isSynced = (): boolean => followers.every((follower) => follower.isSynced);
  const running = followers.map((follower) => follower.run(stop.signal));
  if (resyncEvery !== undefined) running.push(resync(resyncEvery));

  return {
    kind,
    get isSynced() {
      return isSynced();
    },
    synced: ({ signal } = {}) => pulse.until(isSynced, signal, stop.signal),
    find: (key) =>
      held.find(kind.namespaced ? { ...key, namespace: heldNamespace(key.namespace) } : { name: key.name }),
    list: ({ namespace, ...rest } = {}) =>
      held.list(kind.namespaced ? { ...rest, namespace: heldNamespace(namespace) } : rest),
    holds: (namespace) => selected.holds(namespace),
    addIndex: (index) => held.addIndex(index),
    subscribe: (listener, { signal }) => subscribers.add(listener, { signal, present: held.all() }),
    written(object) {
      replica.written(object);
      pulse.beat();
    },
    gone(key, uid) {
      replica.gone(key, uid);
      pulse.beat();
    },
    async caughtUp({ signal } = {}) {
      const place = { transport, resource, selectors, held, pulse };
      const ends = { signal, stopped: stop.signal };
      await Promise.all(followers.map((follower) => catchUp({ ...place, follower }, ends)));
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new CacheStoppedError(`the cache of ${kind.kind} was stopped`));
      await Promise.all(running);
    },
  };

  /** Without this somebody would take for absent what is only not looked at. */
  function heldNamespace(namespace = ""): string {
    if (selected.holds(namespace)) return namespace;
    throw new NotCachedError(`the cache of ${kind.kind} does not hold namespace ${namespace}`);
  }

  /** What cannot be dropped is kept. */
  function keep(object: KubeObject): KubeObject {
    try {
      return options.keep?.(object) ?? object;
    } catch (error) {
      log.error("what to keep of an object could not be told", error, { object: describeKey(keyOf(object)) });
      return object;
    }
  }

  async function resync(every: Duration): Promise<void> {
    const { signal } = stop;
    while (!signal.aborted) {
      try {
        await clock.sleep(milliseconds(every * (1 + random() / 10)), { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
        return;
      }
      for (const object of held.all()) subscribers.tell({ kind: "changed", before: object, object, resync: true });
    }
  }
}
