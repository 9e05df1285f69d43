import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Cluster } from "#api";
import { type Clock, createLogger, systemClock } from "#base";
import { type CacheChange, dumpReader } from "#control";
import { namespacedName, type ObjectKey } from "#machinery";
import { type ClusterCache, type ClusterCacheSettings, createClusterCache, createConnector } from "#workload";
import type { ServersAnswer, ServersCommand } from "./workload-servers.ts";

/** The process of the workload clusters. */
export interface WorkloadServers extends Disposable {
  ask(command: ServersCommand): Promise<ServersAnswer>;
}

/** Starts the process of the workload clusters. */
export function startWorkloadServers(): WorkloadServers {
  const child: ChildProcess = fork(fileURLToPath(new URL("workload-servers.js", import.meta.url)));
  return {
    async ask(command) {
      child.send(command);
      const [message]: readonly unknown[] = await once(child, "message");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the process answers nothing else
      return message as ServersAnswer;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}

/** A cluster cache over workload clusters, as a manager has one. */
export interface WorkloadPlane extends AsyncDisposable {
  readonly cache: ClusterCache;
  readonly keys: readonly ObjectKey[];
}

/** How a plane is set up. */
export interface PlaneOptions {
  readonly ports: readonly number[];
  readonly clock?: Clock;
  readonly settings?: Partial<ClusterCacheSettings>;
}

/** Starts a cluster cache with a Cluster for each port. */
export function startPlane({ ports, clock = systemClock, settings = {} }: PlaneOptions): WorkloadPlane {
  const log = createLogger({ format: "text", level: "error", clock, destination: process.stderr });
  const clusters = ports.map((port) => clusterOf(`c-${port}`));
  const byKey = new Map(clusters.map((cluster) => [namespacedName(keyOf(cluster)), cluster]));
  const secrets = dumpReader(ports.map((port) => secretOf(`c-${port}`, port)));
  const connect = createConnector({
    secrets,
    clock: systemClock,
    random: Math.random,
    log,
    userAgent: "bench",
    settings,
  });
  const held = {
    find: (key: ObjectKey) => byKey.get(namespacedName(key)),
    subscribe(listener: (change: CacheChange<Cluster>) => void) {
      for (const object of clusters) listener({ kind: "added", object, initial: true });
    },
  };
  const cache = createClusterCache({ clusters: held, connect, clock, callClock: systemClock, log, settings });
  const stop = new AbortController();
  const ended = cache.run({ signal: stop.signal });
  return {
    cache,
    keys: clusters.map(keyOf),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** How much memory and how many file descriptors this process has. */
export function usage(): { readonly heap: number; readonly rss: number; readonly descriptors: number } {
  for (let time = 0; time < 3; time++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss, descriptors: readdirSync("/proc/self/fd").length };
}

function keyOf({ metadata }: Cluster): ObjectKey {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}

function clusterOf(name: string): Cluster {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "default", name },
    spec: {},
    status: { initialization: { infrastructureProvisioned: true } },
  };
}

function secretOf(cluster: string, port: number) {
  const kubeconfig = JSON.stringify({
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace: "default",
      name: `${cluster}-kubeconfig`,
      labels: { "cluster.x-k8s.io/cluster-name": cluster },
    },
    data: { value: Buffer.from(kubeconfig).toString("base64") },
  };
}
