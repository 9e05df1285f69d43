import type { Cluster } from "#api";
import { type Clock, type Duration, type Logger, taskGroup, type Timestamp, wrap } from "#base";
import type { Client, Connection } from "#client";
import { getCondition } from "#conditions";
import type { KindCache, Reader } from "#control";
import { keyOf, type KubeObject, namespacedName, type ObjectKey } from "#machinery";
import { ClusterNotConnectedError } from "../errors.ts";
import { type Alarm, createAlarm } from "./alarm.ts";
import { ClusterAccessor, type ClusterCacheObserver, type Connect } from "./cluster-accessor.ts";
import { type ClusterHealth, unknownHealth } from "./cluster-health.ts";
import { type ClusterSource, type ClusterSourceOptions, createClusterSources } from "./cluster-sources.ts";
import { createConnectTurns } from "./connect-turns.ts";
import { type ClusterCacheSettings, defaultSettings } from "./settings.ts";
import type { WorkloadConnection, WorkloadWatch } from "./workload-connection.ts";

/** Connections to all workload clusters. They are made and watched over in the background, never by whoever asks. */
export interface ClusterCache {
  /** Asks a workload cluster itself; throws a ClusterNotConnectedError where there is no connection. */
  client(cluster: ObjectKey): Client;
  /** Reads Nodes from memory and asks for the rest; throws a ClusterNotConnectedError where there is no connection. */
  reader(cluster: ObjectKey): Reader;
  /** How a workload cluster is reached; throws a ClusterNotConnectedError where there is no connection. */
  connectionOf(cluster: ObjectKey): Connection;
  /**
   * Follows a kind of a workload cluster for one that is known by a name. It ends with the connection, so whoever wants
   * it asks in every pass; asking twice does nothing. Throws a ClusterNotConnectedError where there is no connection.
   */
  watch<Obj extends KubeObject>(cluster: ObjectKey, watch: WorkloadWatch<Obj>): void;
  /** What probes say, also where there is no connection any more. */
  healthOf(cluster: ObjectKey): ClusterHealth;
  isConnected(cluster: ObjectKey): boolean;
  /** Resolves once what is kept of a cluster is what it has; throws a ClusterNotConnectedError without a connection. */
  caughtUp(cluster: ObjectKey): Promise<void>;
  /** What wakes a reconciler when a cluster is connected, is disconnected, or has not answered for too long. */
  source(options: ClusterSourceOptions): ClusterSource;
  /** Tends all clusters until the signal ends it, then closes every connection. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Resolves once nothing is under way: every cluster waits for its time. */
  settle(): Promise<void>;
}

/** What a cluster cache needs from outside. */
export interface ClusterCacheOptions {
  readonly clusters: Pick<KindCache<Cluster>, "find" | "subscribe">;
  readonly connect: Connect;
  readonly clock: Clock;
  /** The clock of deadlines; the same one unless told. */
  readonly callClock?: Clock;
  readonly log: Logger;
  readonly settings?: Partial<ClusterCacheSettings>;
  readonly observer?: ClusterCacheObserver;
}

interface Tended {
  readonly cluster: ObjectKey;
  readonly accessor: ClusterAccessor;
  readonly alarm: Alarm;
  readonly ending: AbortController;
  /** Nothing is to be done before the Cluster changes. */
  awaitsChange: boolean;
}

/** Makes a cluster cache, which does nothing until it runs. */
export function createClusterCache(options: ClusterCacheOptions): ClusterCache {
  const { clusters, clock, log, connect, observer = {}, callClock = clock } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const sources = createClusterSources({ log });
  const turns = createConnectTurns({ mostAtOnce: settings.connectsAtOnce });
  const tools = { clock, callClock, log, settings, turns, sources, connect, observer };
  const tended = new Map<string, Tended>();
  const quiet = createQuiet();

  return {
    client: (cluster) => connected(cluster, "error getting client").client,
    reader: (cluster) => connected(cluster, "error getting client reader").reader,
    connectionOf: (cluster) => connected(cluster, "error getting REST config").settings,
    watch: (cluster, watch) =>
      connected(cluster, `error creating watch ${watch.name} for ${watch.kind.kind}`).watch(watch),
    healthOf: (cluster) => tended.get(namespacedName(cluster))?.accessor.health ?? unknownHealth,
    isConnected: (cluster) => connectionTo(cluster) !== undefined,
    caughtUp: async (cluster) => await connected(cluster, "error catching up").caughtUp(),
    source: (asked) => sources.add(asked),
    settle: () => quiet.wait(),
    async run({ signal }) {
      await using group = taskGroup(signal);
      group.spawn(async (ending) => {
        clusters.subscribe(
          ({ kind, object }) => {
            const cluster = keyOf(object);
            if (kind === "deleted") forget(cluster);
            else notice(cluster, (entry) => group.spawn(() => tend(entry)));
          },
          { signal: ending },
        );
        await new Promise((resolve) => ending.addEventListener("abort", resolve, { once: true }));
        for (const { cluster } of tended.values()) forget(cluster);
      });
    },
  };

  function connectionTo(cluster: ObjectKey): WorkloadConnection | undefined {
    return tended.get(namespacedName(cluster))?.accessor.connection;
  }

  function connected(cluster: ObjectKey, doing: string): WorkloadConnection {
    const connection = connectionTo(cluster);
    if (connection === undefined) throw wrap(new ClusterNotConnectedError(), doing);
    return connection;
  }

  function notice(cluster: ObjectKey, begin: (entry: Tended) => void): void {
    const known = tended.get(namespacedName(cluster));
    if (known !== undefined) {
      if (known.awaitsChange) known.alarm.ring();
      return;
    }
    const alarm = createAlarm(clock);
    const accessor = new ClusterAccessor(cluster, tools, () => alarm.ring());
    const entry = { cluster, accessor, alarm, ending: new AbortController(), awaitsChange: false };
    tended.set(namespacedName(cluster), entry);
    begin(entry);
  }

  /** A Cluster that is gone leaves nothing behind: no connection, no health, and nobody is told of it any more. */
  function forget(cluster: ObjectKey): void {
    const entry = tended.get(namespacedName(cluster));
    if (entry === undefined) return;
    tended.delete(namespacedName(cluster));
    entry.ending.abort(new ClusterNotConnectedError());
    sources.forget(cluster);
    observer.onForgotten?.(cluster);
  }

  /** Visits a cluster again and again, each time when it said that something would be due. */
  async function tend(entry: Tended): Promise<void> {
    const { alarm, ending } = entry;
    try {
      while (!ending.signal.aborted) {
        const wait = await quiet.during(() => visit(entry));
        await alarm.sleep(wait, ending.signal);
      }
    } catch (error) {
      if (!ending.signal.aborted) throw error;
    } finally {
      await entry.accessor.disconnect();
    }
  }

  async function visit(entry: Tended): Promise<Duration | undefined> {
    const { cluster, accessor, ending } = entry;
    const object = clusters.find(cluster);
    entry.awaitsChange = object?.status?.initialization?.infrastructureProvisioned !== true;
    if (entry.awaitsChange) return undefined;
    try {
      return await accessor.visit({ signal: ending.signal, initialized: initializedAt(object) });
    } catch (error) {
      ending.signal.throwIfAborted();
      // A mistake of ours in one cluster must not end the care for all the others.
      log.error("visiting a workload cluster failed", error, { ...cluster });
      return settings.fallbackInterval;
    }
  }
}

function initializedAt(cluster: Cluster | undefined): Timestamp | undefined {
  const initialized = cluster === undefined ? undefined : getCondition(cluster, "ControlPlaneInitialized");
  return initialized?.status === "True" ? initialized.lastTransitionTime : undefined;
}

/** Knows whether anything is under way. */
function createQuiet() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async during<T>(run: () => Promise<T>): Promise<T> {
      running++;
      try {
        return await run();
      } finally {
        running--;
        if (running === 0) for (const resolve of waiting.splice(0)) resolve();
      }
    },
    async wait(): Promise<void> {
      if (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
