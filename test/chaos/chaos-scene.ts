import { CapstanError, createLogger } from "#base";
import { bearerToken, createClient, createHttpTransport } from "#client";
import { type CacheChange, type Caches, createCaches, type KindCache } from "#control";
import { compareResourceVersions, type KubeObject } from "#machinery";
import { type DurablePlane, openDurablePlane } from "./durable-plane.ts";
import { type FastClock, fastClock } from "./fast-clock.ts";
import { type FaultyProxy, openFaultyProxy } from "./faulty-proxy.ts";
import { openTruncatingProxy, type TruncatingProxy } from "./truncating-proxy.ts";
import { configMaps, Writer } from "./writer.ts";

/** A cache that reaches its server only through something that breaks. */
export interface ChaosScene extends AsyncDisposable {
  readonly plane: DurablePlane;
  readonly proxy: FaultyProxy;
  readonly truncating: TruncatingProxy;
  readonly clock: FastClock;
  readonly caches: Caches;
  readonly cache: KindCache;
  readonly writer: Writer;
  /** What a subscriber found wrong with what it was told. */
  readonly disorder: readonly string[];
  /** What went wrong and was outlasted, in the words of the log. */
  readonly problems: readonly string[];
  /** Everything through the cache, and through a subscriber, once the cache has caught up, and on the server. */
  outcome(): Promise<{ readonly cached: unknown; readonly told: unknown; readonly served: unknown }>;
  /** How often everything was asked for. */
  readonly lists: number;
}

export interface ChaosOptions {
  readonly seed: number;
  /** Whether the client connects by way of the proxy that truncates, which speaks HTTP/1.1 only. */
  readonly by?: "faulty" | "truncating";
}

const timesAsFast = 20;

export async function openChaos({ seed, by = "faulty" }: ChaosOptions): Promise<ChaosScene> {
  const plane = await openDurablePlane();
  const proxy = await openFaultyProxy();
  proxy.target = plane.port;
  const truncating = await openTruncatingProxy(plane.pki, () => proxy.port);
  const clock = fastClock(timesAsFast);
  const writer = new Writer(() => plane.transport, seed);
  const problems: string[] = [];
  const log = createLogger({
    format: "text",
    level: "warn",
    clock,
    destination: { write: (line) => problems.push(line) },
  });
  const transport = createHttpTransport(
    {
      server: `https://127.0.0.1:${by === "faulty" ? proxy.port : truncating.port}`,
      tls: { authority: plane.pki.authority },
      credentials: bearerToken(plane.token),
    },
    { clock },
  );
  let lists = 0;
  const metrics = {
    add: (metric: string) => {
      if (metric === "reflector_lists_total") lists += 1;
    },
    observe: () => undefined,
    set: () => undefined,
  };
  const caches = createCaches({
    client: createClient(transport, { clock }),
    clock,
    random: writer.random,
    log,
    metrics,
  });
  await writer.write(30);
  const cache = await caches.of({ group: "", version: "v1", kind: "ConfigMap" });
  const witness = new Witness();
  cache.subscribe((change) => witness.take(change), { signal: new AbortController().signal });
  await cache.synced();
  return {
    plane,
    proxy,
    truncating,
    clock,
    caches,
    cache,
    writer,
    disorder: witness.disorder,
    problems,
    get lists() {
      return lists;
    },
    async outcome() {
      await caughtUp(caches);
      const { items } = await plane.transport.list(configMaps);
      return { cached: byName(cache.list()), told: byName([...witness.mirror.values()]), served: byName(items) };
    },
    async [Symbol.asyncDispose]() {
      await caches[Symbol.asyncDispose]();
      transport.close();
      await truncating[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await plane[Symbol.asyncDispose]();
    },
  };
}

/** Asks until an answer comes through. */
async function caughtUp(caches: Caches): Promise<void> {
  for (;;) {
    try {
      await caches.caughtUp();
      return;
    } catch (error) {
      if (!(error instanceof CapstanError)) throw error;
    }
  }
}

/** Believes what it is told, and notes what cannot be. */
class Witness {
  readonly mirror = new Map<string, KubeObject>();
  readonly disorder: string[] = [];

  take(change: CacheChange): void {
    const { object } = change;
    const name = `${object.metadata.namespace}/${object.metadata.name}`;
    const before = this.mirror.get(name);
    if ((change.kind === "added") !== (before === undefined)) this.#note(change, "was told twice or never");
    if (change.kind === "changed" && change.before !== before) this.#note(change, "was something else before");
    if (compareResourceVersions(object.metadata.resourceVersion, before?.metadata.resourceVersion) < 0)
      this.#note(change, "is older than what was told");
    if (change.kind === "deleted") this.mirror.delete(name);
    else this.mirror.set(name, object);
  }

  #note({ kind, object }: CacheChange, what: string): void {
    this.disorder.push(`${kind} ${object.metadata.name} ${object.metadata.resourceVersion} ${what}`);
  }
}

function byName(objects: readonly KubeObject[]): Readonly<Record<string, KubeObject>> {
  return Object.fromEntries(
    objects.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, stripped(object)]),
  );
}

function stripped(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
