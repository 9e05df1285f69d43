import type { Cluster } from "#api";
import { createLogger, type FakeClock } from "#base";
import type { CacheChange, KindCache } from "#control";
import { keyOf, namespacedName } from "#machinery";

/** Clusters in a test: they are there as soon as the test says so. */
export interface TestClusters extends Pick<KindCache<Cluster>, "find" | "subscribe"> {
  put(name: string, options?: { readonly provisioned?: boolean }): void;
  remove(name: string): void;
}

/** Holds Clusters of the namespace default, and tells of them as a cache does. */
export function createTestClusters(): TestClusters {
  const held = new Map<string, Cluster>();
  const listeners = new Set<(change: CacheChange<Cluster>) => void>();
  const tell = (change: CacheChange<Cluster>): void => {
    for (const listener of listeners) listener(change);
  };
  return {
    find: (key) => held.get(namespacedName(key)),
    subscribe(listener, { signal }) {
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
      for (const object of held.values()) listener({ kind: "added", object, initial: true });
    },
    put(name, { provisioned = true } = {}) {
      const object = aCluster(name, provisioned);
      const before = held.get(namespacedName(keyOf(object)));
      held.set(namespacedName(keyOf(object)), object);
      if (before === undefined) tell({ kind: "added", object, initial: false });
      else tell({ kind: "changed", before, object, resync: false });
    },
    remove(name) {
      const object = held.get(`default/${name}`);
      held.delete(`default/${name}`);
      if (object !== undefined) tell({ kind: "deleted", object });
    },
  };
}

/** A log that keeps its lines from some level on. */
export function createTestLog(clock: FakeClock) {
  const lines: string[] = [];
  const log = createLogger({
    format: "text",
    level: "error",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  return { log, lines };
}

function aCluster(name: string, infrastructureProvisioned: boolean): Cluster {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "default", name },
    spec: {},
    status: { initialization: { infrastructureProvisioned } },
  };
}
