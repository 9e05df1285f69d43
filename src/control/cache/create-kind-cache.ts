import { type Clock, type Duration, type Logger, milliseconds } from "#base";
import type { ServedKind } from "#client";
import {
  compareResourceVersions,
  isNotFound,
  keyOf,
  type KubeList,
  type KubeObject,
  namespacedName,
  type ObjectKey,
  type Transport,
} from "#machinery";
import { CacheStoppedError, NotCachedError } from "./errors.ts";
import { matcherOf } from "../object-matcher.ts";
import type { ReadOptions } from "../reader.ts";
import { type CacheMetrics, measuredWatches, noCacheMetrics } from "./cache-metrics.ts";
import { entranceOf, type EntranceOptions } from "./entrance.ts";
import { Follower } from "./follower.ts";
import { HeldObjects } from "./held-objects.ts";
import type { KindCache } from "./kind-cache.ts";
import { Pulse } from "./pulse.ts";
import { Replica } from "./replica.ts";
import { Subscribers } from "./subscribers.ts";

/** Which objects of a kind a cache holds; all of them, unless told otherwise. */
export interface CacheSelection {
  readonly namespaces?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

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
  readonly isServed?: () => Promise<boolean>;
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
  const { clock, random, selection = {}, metadataOnly = false, metrics = noCacheMetrics } = options;
  const { isServed = () => Promise.resolve(true) } = options;
  const log = options.log.child({ group: kind.group, kind: kind.kind });
  const namespaces = namespacesOf(kind, selection);
  const selectors = selectorsOf(selection);
  const pulse = new Pulse();
  const stop = new AbortController();
  const held = new HeldObjects<Obj>((error) => log.error("an index of a cache failed", error));
  const subscribers = new Subscribers<Obj>((error) => log.error("a subscriber of a cache failed", error));
  const replica = new Replica<Obj>({
    held,
    enter: entranceOf(kind, options),
    isSelected: selectedBy(namespaces, matcherOf(selectors)),
    tell: (change) => {
      subscribers.tell(change);
      metrics.set("capstan_cache_objects", kind.kind, held.size);
    },
  });
  const transport = measuredWatches(options.transport, { kind: kind.kind, clock, metrics });
  const followers = namespaces.map(
    (namespace) =>
      new Follower<Obj>({
        transport,
        kind: kind.kind,
        resource: kind.resource,
        replica,
        clock,
        random,
        log,
        metrics,
        isServed,
        pulse,
        asked: { ...selectors, namespace, metadataOnly, withoutManagedFields: true, unfrozen: true },
      }),
  );
  const isSynced = (): boolean => followers.every((follower) => follower.isSynced);
  const running = followers.map((follower) => follower.run(stop.signal));
  if (options.resyncEvery !== undefined) running.push(resync(options.resyncEvery));

  return {
    kind,
    get isSynced() {
      return isSynced();
    },
    synced: ({ signal } = {}) => pulse.until(isSynced, signal, stop.signal),
    find: (key) => held.find(kind.namespaced ? { ...key, namespace: holding(key.namespace) } : { name: key.name }),
    list({ namespace, ...rest } = {}) {
      return held.list(kind.namespaced ? { ...rest, namespace: holding(namespace) } : rest);
    },
    holds,
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
    async caughtUp(rest) {
      for (const follower of followers) await caughtUp(follower, rest);
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new CacheStoppedError(`the cache of ${kind.kind} was stopped`));
      await Promise.all(running);
    },
  };

  function holds(namespace = ""): boolean {
    return namespaces.includes("") || namespaces.includes(namespace) || namespace === "";
  }

  /** Without this somebody would take for absent what is only not looked at. */
  function holding(namespace = ""): string {
    if (holds(namespace)) return namespace;
    throw new NotCachedError(`the cache of ${kind.kind} does not hold namespace ${namespace}`);
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

  async function caughtUp(follower: Follower<Obj>, { signal }: ReadOptions = {}): Promise<void> {
    const asked = { ...selectors, namespace: follower.namespace, metadataOnly: true };
    const withSignal = signal === undefined ? {} : { signal };
    const { reached } = follower;
    const state = await options.transport.list(kind.resource, { ...asked, ...withSignal }).catch(noneWhereMissing);
    // A server that was set back is noticed here before it tells so itself.
    const isSetBack = state !== undefined && compareResourceVersions(state.metadata.resourceVersion, reached) < 0;
    if (isSetBack) follower.beginAnew();
    else follower.hurry();
    const { timesListed } = follower;
    const isFollowing = (): boolean => follower.isSynced && (!isSetBack || follower.timesListed > timesListed);
    try {
      await pulse.until(() => isFollowing() && isAsFarAs(state, follower), signal, stop.signal);
    } finally {
      follower.calm();
    }
  }

  /** A follower that has heard of nothing newer has nevertheless caught up where it has the same. */
  function isAsFarAs(state: KubeList | undefined, { reached, namespace }: Follower<Obj>): boolean {
    const here = held.all(namespace);
    if (state === undefined) return here.length === 0;
    const { resourceVersion: revision = "" } = state.metadata;
    if (compareResourceVersions(reached, revision) >= 0) return true;
    const there = new Set(state.items.map((item) => namespacedName(keyOf(item))));
    return (
      state.items.every((item) => !isNewer(item, held.find(keyOf(item))?.metadata.resourceVersion)) &&
      here.every((object) => there.has(namespacedName(keyOf(object))) || isNewer(object, revision))
    );
  }
}

/** The empty one stands for all. */
function namespacesOf({ namespaced }: ServedKind, { namespaces = [] }: CacheSelection): readonly string[] {
  return namespaced && namespaces.length > 0 ? namespaces : [""];
}

function selectorsOf({ labelSelector, fieldSelector }: CacheSelection): Omit<CacheSelection, "namespaces"> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

function selectedBy(namespaces: readonly string[], matches: ReturnType<typeof matcherOf>) {
  const isHeld = namespaces.includes("") ? () => true : (namespace: string) => namespaces.includes(namespace);
  return (object: KubeObject): boolean =>
    isHeld(object.metadata.namespace ?? "") && (matches === undefined || matches(object));
}

/** A server that has no such collection has nothing in it. */
function noneWhereMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function isNewer({ metadata }: KubeObject, revision: string | undefined): boolean {
  return compareResourceVersions(metadata.resourceVersion, revision) > 0;
}
