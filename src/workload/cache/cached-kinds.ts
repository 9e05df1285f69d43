import type { Clock, Duration, Logger } from "#base";
import { type AnyKind, type Client, type ServedKind, withDeadline } from "#client";
import {
  apiReader,
  type CacheChange,
  type Caches,
  createCaches,
  type Index,
  type KindCache,
  type Reader,
} from "#control";
import { deepEqual, type GroupKind, type KubeObject, notFound, type Transport } from "#machinery";
import { UnusableClusterError } from "../errors.ts";
import { eitherOf } from "./either-signal.ts";
import { limitObjects } from "./object-limit.ts";
import { Node } from "../core-kinds.ts";
import { nodesByProviderID } from "../nodes/find-node.ts";
import { keepNode } from "../nodes/keep-node.ts";
import type { WorkloadWatch } from "./workload-connection.ts";

/** A kind of which all objects are kept in memory as long as a cluster is connected. */
export interface CachedKind {
  readonly kind: ServedKind;
  /** What is read of the objects. */
  readonly keep: (object: KubeObject) => KubeObject;
  readonly indexes?: readonly Index[];
}

/** Nodes, found by the machine that they run on. */
export const cachedNodes: CachedKind = { kind: Node, keep: keepNode, indexes: [nodesByProviderID] };

/** What is kept of one cluster, and what it needs. */
export interface CachedKindsOptions {
  readonly kinds: readonly CachedKind[];
  /** Asks the cluster itself. */
  readonly client: Client;
  /** What the caches follow the cluster with. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly mostObjects: number;
  /** Is told when, once everything was there, there is more than may be kept. */
  readonly onBroken: (error: unknown) => void;
}

/** The objects of a workload cluster that are kept in memory. */
export interface CachedKinds extends AsyncDisposable {
  readonly caches: Caches;
  readonly reader: Reader;
  /** Tells of the objects of a kind, and of changes of what is kept of them. */
  subscribe<Obj extends KubeObject>(watch: WorkloadWatch<Obj>, signal: AbortSignal): Promise<void>;
}

/** Gets everything that is to be kept of a cluster; the first thing that goes wrong is thrown. */
export async function openCachedKinds(
  options: CachedKindsOptions,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: Duration },
): Promise<CachedKinds> {
  const { kinds, client, transport, clock, random, log, mostObjects, onBroken } = options;
  const failure = new AbortController();
  let isSyncing = true;
  const limits = {
    most: mostObjects,
    keep: (object: KubeObject) => kinds.find(({ kind }) => kind.is(object))?.keep(object) ?? object,
    onFailure(error: unknown) {
      if (isSyncing) failure.abort(error);
      else if (error instanceof UnusableClusterError) onBroken(error);
    },
  };
  const follower = client.withTransport({ ...transport, ...limitObjects(transport, limits) });
  const settings = kinds.map(({ kind, indexes = [] }) => ({ kind, indexes }));
  const caches = createCaches({ client: follower, clock, random, log, kinds: settings });
  const kept = new Map<string, KindCache>();

  const either = eitherOf(signal, failure.signal);
  try {
    await withDeadline({ clock, timeout, signal: either.signal, what: "getting all objects" }, async (ending) => {
      for (const { kind } of kinds) {
        const cache = await caches.of(kind);
        await cache.synced({ signal: ending });
        kept.set(nameOf(kind), cache);
      }
    });
  } catch (error) {
    await caches[Symbol.asyncDispose]();
    throw error;
  } finally {
    isSyncing = false;
    either.release();
  }

  return {
    caches,
    reader: readerOf(keptOf, apiReader(client)),
    async subscribe(watch, until) {
      const cache = keptOf(watch.kind) ?? (await caches.of(watch.kind));
      cache.subscribe(
        (change) => {
          if (!isOnlyVersion(change)) watch.onChange(change);
        },
        { signal: until },
      );
    },
    [Symbol.asyncDispose]: () => caches[Symbol.asyncDispose](),
  };

  function keptOf<Obj extends KubeObject>(kind: AnyKind<Obj>): KindCache<Obj> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is found under the kind that it was made for
    return kept.get(nameOf(kind)) as KindCache<Obj> | undefined;
  }
}

type KeptOf = <Obj extends KubeObject>(kind: AnyKind<Obj>) => KindCache<Obj> | undefined;

/** What is kept is read from memory; for anything else the cluster is asked, within its bounds. */
function readerOf(keptOf: KeptOf, live: Reader): Reader {
  return {
    async get(kind, key, options) {
      const cache = keptOf(kind);
      if (cache === undefined) return await live.get(kind, key, options);
      const found = cache.find(key);
      if (found === undefined) throw notFound(cache.kind.resource, key.name);
      return found;
    },
    async find(kind, key, options) {
      const cache = keptOf(kind);
      return cache === undefined ? await live.find(kind, key, options) : cache.find(key);
    },
    async list(kind, options = {}) {
      const { signal: _, ...selection } = options;
      return keptOf(kind)?.list(selection) ?? (await live.list(kind, options));
    },
  };
}

/** Of most changes, such as a heartbeat, nothing is left of what is kept but a new version. */
function isOnlyVersion(change: CacheChange): boolean {
  return change.kind === "changed" && deepEqual(withoutVersion(change.before), withoutVersion(change.object));
}

function withoutVersion(object: KubeObject): object {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function nameOf({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
