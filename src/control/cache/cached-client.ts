import type { AnyKind, Client } from "#client";
import { type KubeObject, notFound } from "#machinery";
import { apiReader } from "../api-reader.ts";
import type { Reader, ReadOptions } from "../reader.ts";
import type { Caches } from "./caches.ts";
import type { KindCache } from "./kind-cache.ts";
import { rememberingTransport } from "./remembering-transport.ts";

/** A reader that answers from memory, and a client whose writes it knows. */
export interface CachedClient {
  /** Never shows an object in an older version than `client` has written it in. */
  readonly reader: Reader;
  readonly client: Client;
}

/** Puts caches between a program and its server: reads come from them, and writes go through into them. */
export function createCachedClient({
  client,
  caches,
}: {
  readonly client: Client;
  readonly caches: Caches;
}): CachedClient {
  const transport = rememberingTransport(client.transport, () => caches.running);
  return { reader: cachedReader(caches, apiReader(client)), client: client.withTransport(transport) };
}

/** Starts the cache of a kind with the first read of it, except for kinds that are to be read from the server. */
function cachedReader(caches: Caches, live: Reader): Reader {
  return {
    async get(kind, key, options) {
      if (caches.isLive(kind)) return await live.get(kind, key, options);
      const cache = caches.ready(kind) ?? (await cacheOf(kind, options));
      const found = cache.find(key);
      if (found === undefined) throw notFound(cache.kind.resource, key.name);
      return found;
    },
    async find(kind, key, options) {
      if (caches.isLive(kind)) return await live.find(kind, key, options);
      return (caches.ready(kind) ?? (await cacheOf(kind, options))).find(key);
    },
    async list(kind, { signal, ...options } = {}) {
      const withSignal = signal === undefined ? {} : { signal };
      if (caches.isLive(kind)) return await live.list(kind, { ...options, ...withSignal });
      return (caches.ready(kind) ?? (await cacheOf(kind, withSignal))).list(options);
    },
  };

  async function cacheOf<Obj extends KubeObject>(kind: AnyKind<Obj>, options?: ReadOptions): Promise<KindCache<Obj>> {
    const cache = await caches.of(kind, options);
    if (!cache.isSynced) await cache.synced(options);
    return cache;
  }
}
