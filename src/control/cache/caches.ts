import type { Clock, Duration, Logger } from "#base";
import { type AnyKind, type Client, isServedKind, type ServedKind } from "#client";
import {
  apiVersionOf,
  type DiscoveredResource,
  type GroupKind,
  type GroupVersionResource,
  type KubeObject,
} from "#machinery";
import { CacheStoppedError } from "./errors.ts";
import type { Index, ReadOptions } from "../reader.ts";
import type { CacheMetrics } from "./cache-metrics.ts";
import { createKindCache, type RunningCache } from "./create-kind-cache.ts";
import type { EntranceOptions } from "./entrance.ts";
import type { KindCache } from "./kind-cache.ts";
import type { CacheSelection } from "./selection.ts";

/** How the objects of a kind are cached. */
export interface CacheSettings extends EntranceOptions {
  readonly selection?: CacheSelection;
  /** How often all objects are shown again. */
  readonly resyncEvery?: Duration;
}

/** How one kind differs from the others. */
export interface KindSettings extends CacheSettings {
  readonly kind: GroupKind;
  /** Reads go to the server, and no cache is started for them. */
  readonly live?: boolean;
  readonly indexes?: readonly Index[];
}

/** What caches need from outside, and what they hold. */
export interface CachesOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
  readonly metrics?: CacheMetrics;
  /** For all kinds that are not named. */
  readonly defaults?: CacheSettings;
  readonly kinds?: readonly KindSettings[];
}

/** Which cache of a kind is meant, where the usual one is not. */
export interface CacheChoice extends Pick<CacheSettings, "selection" | "metadataOnly"> {}

/** The caches of a program: one for each kind and selection, started when it is first asked for. */
export interface Caches extends AsyncDisposable {
  /** The cache of a kind; of one that is known by its names alone, the server is asked for the resource. */
  of<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    options?: CacheChoice & ReadOptions,
  ): Promise<KindCache<Obj>>;
  /** The usual cache of a kind where that runs and has been filled: nobody has to wait for it. */
  ready<Obj extends KubeObject>(kind: AnyKind<Obj>): KindCache<Obj> | undefined;
  /** All that run. */
  readonly running: readonly RunningCache[];
  /** True for a kind that is to be read from the server. */
  isLive(kind: GroupKind): boolean;
  /** Resolves once all that run have everything that was there at their start. */
  synced(options?: ReadOptions): Promise<void>;
  /** Resolves once all that run have everything that the server has at the time of the call. */
  caughtUp(options?: ReadOptions): Promise<void>;
  /** Stops the cache of a kind; when it is next asked for, another one is started. */
  stop(kind: AnyKind, options?: CacheChoice & ReadOptions): Promise<void>;
}

/** Makes caches on a client: `await using caches = createCaches({ client, clock, random, log })`. */
export function createCaches(options: CachesOptions): Caches {
  const { client, clock, random, log, metrics, kinds = [], defaults = {} } = options;
  const running = new Map<string, RunningCache>();
  // Every read asks for a cache, and nearly all of them for one of these.
  let usual = new WeakMap<ServedKind, RunningCache>();
  const servedAs = new WeakMap<DiscoveredResource, ServedKind>();
  let isStopped = false;

  return {
    of: cacheOf,
    ready<Obj extends KubeObject>(kind: AnyKind<Obj>) {
      const cache = isServedKind(kind) ? usual.get(kind) : undefined;
      if (isStopped || cache?.isSynced !== true) return undefined;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is found under the kind that it was made for
      return cache as KindCache as KindCache<Obj>;
    },
    get running() {
      return [...running.values()];
    },
    isLive: (kind) => kinds.some((one) => isSameKind(one.kind, kind) && one.live === true),
    async synced(rest) {
      await Promise.all(Array.from(running.values(), (cache) => cache.synced(rest)));
    },
    async caughtUp(rest) {
      await Promise.all(Array.from(running.values(), (cache) => cache.caughtUp(rest)));
    },
    async stop(kind, { signal, ...choice } = {}) {
      const name = nameOf(await servedKind(kind, signal), settingsOf(kind, choice));
      const cache = running.get(name);
      running.delete(name);
      usual = new WeakMap();
      await cache?.[Symbol.asyncDispose]();
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      const all = [...running.values()];
      running.clear();
      await Promise.all(all.map((cache) => cache[Symbol.asyncDispose]()));
    },
  };

  async function cacheOf<Obj extends KubeObject>(
    kind: AnyKind<Obj>,
    { signal, ...choice }: CacheChoice & ReadOptions = {},
  ): Promise<KindCache<Obj>> {
    const served = await servedKind(kind, signal);
    if (isStopped) throw new CacheStoppedError("the caches were stopped");
    const isUsual = choice.selection === undefined && choice.metadataOnly === undefined;
    const cache = (isUsual ? usual.get(served) : undefined) ?? named(served, settingsOf(kind, choice));
    if (isUsual) usual.set(served, cache);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is found under the kind that it was made for
    return cache as KindCache as KindCache<Obj>;
  }

  function named(kind: ServedKind, settings: CacheSettings): RunningCache {
    const name = nameOf(kind, settings);
    const cache = running.get(name) ?? start(kind, settings);
    running.set(name, cache);
    return cache;
  }

  function start(kind: ServedKind, settings: CacheSettings): RunningCache {
    const { transport } = client;
    const cache = createKindCache(kind, {
      ...settings,
      transport,
      clock,
      random,
      log,
      isServed: (rest) => isServed(kind, rest),
      ...(metrics === undefined ? {} : { metrics }),
    });
    const { indexes = [] } = kinds.find((one) => isSameKind(one.kind, kind)) ?? {};
    for (const index of indexes) cache.addIndex(index);
    return cache;
  }

  function settingsOf(kind: GroupKind, choice: CacheChoice): CacheSettings {
    const { kind: _, live: __, indexes: ___, ...own } = kinds.find((one) => isSameKind(one.kind, kind)) ?? { kind };
    return { ...defaults, ...own, ...choice };
  }

  async function servedKind(kind: AnyKind, signal: AbortSignal | undefined): Promise<ServedKind> {
    if (isServedKind(kind)) return kind;
    const discovered = await client.mapper.resourceOf(kind, signal === undefined ? {} : { signal });
    const known = servedAs.get(discovered) ?? asServed(discovered);
    servedAs.set(discovered, known);
    return known;
  }

  async function isServed(kind: ServedKind, rest: ReadOptions): Promise<boolean> {
    client.mapper.forget();
    const served = await client.mapper.all(rest);
    return served.some(({ group, version, resource }) => isSameResource({ group, version, resource }, kind.resource));
  }
}

function asServed({ group, version, kind, resource, namespaced }: DiscoveredResource): ServedKind {
  const apiVersion = apiVersionOf({ group, version });
  return {
    group,
    version,
    kind,
    resource: { group, version, resource },
    namespaced,
    is: (object): object is KubeObject => object.apiVersion === apiVersion && object.kind === kind,
  };
}

function isSameKind(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function isSameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.group === b.group && a.version === b.version && a.resource === b.resource;
}

/** Equal for what one cache can serve. */
function nameOf({ resource }: ServedKind, { selection = {}, metadataOnly = false }: CacheSettings): string {
  const { namespaces = [], labelSelector = "", fieldSelector = "" } = selection;
  const { group, version, resource: plural } = resource;
  return JSON.stringify([
    group,
    version,
    plural,
    metadataOnly,
    [...namespaces].toSorted(),
    labelSelector,
    fieldSelector,
  ]);
}
