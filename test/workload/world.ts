import type { Cluster } from "#api";
import { createFakeClock, createLogger, milliseconds, parseTimestamp, seconds, systemClock } from "#base";
import { type CacheChange, dumpReader, type Reader } from "#control";
import { keyOf, type KubeObject, namespacedName, type ObjectKey } from "#machinery";
import {
  type ClusterCache,
  type ClusterCacheSettings,
  type ConnectionLimits,
  createClusterCache,
  createConnector,
  type OwnPod,
} from "#workload";

/** A management cluster of a test, with a cluster cache whose time stands still until the test moves it. */
export interface World extends AsyncDisposable {
  readonly cache: ClusterCache;
  /** Adds a Cluster, or gives it another kubeconfig. */
  put(name: string, kubeconfig: string): void;
  remove(name: string): void;
  /** Lets so many seconds pass, one by one or in larger steps, and all calls end that begin meanwhile. */
  pass(count: number, step?: number): Promise<void>;
  /** How many wait for some time to come. */
  readonly sleepers: number;
  /** Which Clusters a reconciler was woken for, since the last question. */
  woken(): readonly string[];
  /** What was warned of. */
  readonly lines: readonly string[];
}

/** Calls end after so long on the clock of the machine. */
export interface WorldOptions {
  readonly settings?: Partial<ClusterCacheSettings>;
  readonly limits?: ConnectionLimits;
  readonly ownPod?: OwnPod;
}

const patience = { probeTimeout: milliseconds(2_500), callTimeout: milliseconds(2_500), syncTimeout: seconds(20) };

/** Key of a Cluster of these tests. */
export function clusterKey(name: string): ObjectKey {
  return { namespace: "default", name };
}

/** Opens a world without Clusters. */
export function openWorld({ settings: given = {}, limits = {}, ownPod }: WorldOptions = {}): World {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const settings = { ...patience, ...given };
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ format: "text", level: "warn", clock, destination });
  const management = createManagement();
  const { secrets, clusters } = management;
  const calls = { clock: systemClock, random: () => 0.5, userAgent: "test" };
  const connect = createConnector({ ...calls, secrets, log, settings, limits, ...(ownPod && { ownPod }) });
  const cache = createClusterCache({ clusters, connect, clock, callClock: systemClock, log, settings });
  const stop = new AbortController();
  let woken: string[] = [];
  cache.source({ name: "cluster", probeFailures: [seconds(50)] }).subscribe(({ name }) => woken.push(name), stop);
  const ended = cache.run({ signal: stop.signal });
  return {
    cache,
    put: (name, kubeconfig) => management.put(name, kubeconfig),
    remove: (name) => management.remove(name),
    lines,
    get sleepers() {
      return clock.sleepers;
    },
    async pass(count, step = 1) {
      await cache.settle();
      for (let passed = 0; passed < count; passed += step) {
        await clock.advance(seconds(step));
        await cache.settle();
      }
    },
    woken() {
      const names = woken;
      woken = [];
      return names;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** Clusters and their Secrets, as the management cluster would hold them. */
function createManagement() {
  const held = new Map<string, Cluster>();
  const kubeconfigs = new Map<string, KubeObject>();
  const listeners = new Set<(change: CacheChange<Cluster>) => void>();
  const tell = (change: CacheChange<Cluster>): void => {
    for (const listener of listeners) listener(change);
  };
  const secrets: Pick<Reader, "get"> = {
    get: (kind, key, options) => dumpReader([...kubeconfigs.values()]).get(kind, key, options),
  };
  return {
    secrets,
    clusters: {
      find: (key: ObjectKey) => held.get(namespacedName(key)),
      subscribe(listener: (change: CacheChange<Cluster>) => void) {
        listeners.add(listener);
      },
    },
    put(name: string, kubeconfig: string): void {
      kubeconfigs.set(name, secretOf(name, kubeconfig));
      const id = namespacedName(clusterKey(name));
      if (held.has(id)) return;
      const object: Cluster = {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: clusterKey(name),
        spec: {},
        status: { initialization: { infrastructureProvisioned: true } },
      };
      held.set(id, object);
      tell({ kind: "added", object, initial: false });
    },
    remove(name: string): void {
      const object = held.get(namespacedName(clusterKey(name)));
      held.delete(namespacedName(clusterKey(name)));
      if (object !== undefined) tell({ kind: "deleted", object: { ...object, metadata: { ...keyOf(object) } } });
    },
  };
}

function secretOf(cluster: string, kubeconfig: string): KubeObject {
  const labels = { "cluster.x-k8s.io/cluster-name": cluster };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "default", name: `${cluster}-kubeconfig`, labels },
    data: { value: Buffer.from(kubeconfig).toString("base64") },
  };
}
