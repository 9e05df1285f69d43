import type { Registry } from "prom-client";
import { Cluster, type FeatureGates, Machine } from "#api";
import { type Clock, type Duration, type Logger, seconds } from "#base";
import type { Client } from "#client";
import type { Manager } from "#control";
import { createExtensionClient, createExtensionMetrics, type ExtensionClient } from "#extensions";
import { devCluster, devMachine, reopenServers, type WorkloadServers } from "#providers";
import { cluster } from "#reconcilers/cluster";
import { clusterClass } from "#reconcilers/clusterclass";
import { extensionConfig, extensionWarmUp, readOnlyExtensionConfig } from "#reconcilers/extensionconfig";
import { createMachineUpdates, createMachineWakers, machine } from "#reconcilers/machine";
import { type ClusterCache, type ClusterCacheSettings, createClusterCache, createConnector } from "#workload";

/** What the controllers of a plane are run with. */
export interface PlaneSettings {
  /** Reads and writes past every cache. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  /** Where calls of extensions are counted. */
  readonly registry: Registry;
  readonly features: FeatureGates;
  /** How long the last known status of Nodes stands while their cluster cannot be reached. */
  readonly remoteConditionsGracePeriod: Duration;
  /** How long a probe that succeeded stands for a connection. */
  readonly remoteConnectionGracePeriod: Duration;
  readonly clusterCache?: Partial<ClusterCacheSettings>;
  /** How this program names itself to workload clusters. */
  readonly userAgent: string;
  /** Where simulated clusters live; without it there is no development provider. */
  readonly servers?: WorkloadServers;
  /** False leaves MachinePools out of RollingOut of their Cluster. */
  readonly machinePoolsRollOut: boolean;
  /** Only takes over what a writing manager has found out about extensions. */
  readonly extensionConfigReadOnly: boolean;
  /** How many objects of each kind are worked on at a time. */
  readonly concurrency: Concurrency;
}

/** How many objects of a kind are worked on at a time. */
export interface Concurrency {
  readonly cluster: number;
  readonly machine: number;
  readonly clusterClass: number;
  readonly extensionConfig: number;
  readonly dev: number;
}

// Machines come up in crowds, and each of them changes several times; a Cluster looks at them together. And what any
// of them waits for is often there before it has been said. While nothing else happens nobody waits so long.
const patience = seconds(2);

/** Adds all controllers to a manager; answers the connections to workload clusters, which run with it. */
export async function addControllers(manager: Manager, settings: PlaneSettings): Promise<ClusterCache> {
  const { clock, log, random, features, servers, userAgent, concurrency } = settings;
  const tuning = settings.clusterCache === undefined ? {} : { settings: settings.clusterCache };
  const clusterCache = createClusterCache({
    clusters: await manager.caches.of(Cluster),
    connect: createConnector({ secrets: manager.reader, clock, random, log, userAgent, ...tuning }),
    clock,
    log,
    ...tuning,
  });
  manager.addRunnable({ name: "cluster-cache", run: (options) => clusterCache.run(options) });

  manager.add(
    cluster,
    {
      connectionTo: (key) => clusterCache.healthOf(key),
      remoteConnectionGracePeriod: settings.remoteConnectionGracePeriod,
      machinePoolsRollOut: settings.machinePoolsRollOut,
      features,
      gathering: patience,
      sources: [clusterCache.source({ name: "cluster", probeFailures: [settings.remoteConnectionGracePeriod] })],
    },
    { concurrency: concurrency.cluster, patience },
  );

  const extensions = features.RuntimeSDK ? createExtensions(manager, settings) : undefined;
  const gracePeriod = settings.remoteConditionsGracePeriod;
  const wakers = createMachineWakers({ clusterCache, machines: await manager.caches.of(Machine), gracePeriod });
  manager.add(
    machine,
    {
      workload: wakers.access,
      remoteConditionsGracePeriod: gracePeriod,
      syncedLabels: () => false,
      syncedAnnotations: () => false,
      features,
      sources: wakers.sources,
      gathering: patience,
      ...(extensions === undefined ? {} : { updates: createMachineUpdates({ extensions, clock }) }),
    },
    { concurrency: concurrency.machine, patience },
  );

  if (extensions !== undefined) addExtensions(manager, settings, extensions);
  if (servers !== undefined) {
    const { client } = settings;
    manager.addWarmUp({
      name: "dev-servers",
      // Only one process can have their ports.
      leaderOnly: true,
      warmUp: (options) => reopenServers({ client, servers, clock, log }, options),
    });
    manager.add(devCluster, { servers }, { concurrency: concurrency.dev });
    manager.add(devMachine, { servers }, { concurrency: concurrency.dev, patience });
  }
  return clusterCache;
}

function createExtensions(manager: Manager, { log, clock, registry }: PlaneSettings): ExtensionClient {
  return createExtensionClient({ client: manager.reader, log, clock, metrics: createExtensionMetrics(registry) });
}

/** ExtensionConfigs are asked what they have, and ClusterClasses for their variables. */
function addExtensions(manager: Manager, settings: PlaneSettings, extensions: ExtensionClient): void {
  const { clock, log, concurrency, extensionConfigReadOnly: readOnly, client } = settings;
  manager.addRunnable(extensionWarmUp({ client, extensions, clock, log, readOnly }));
  manager.add(
    readOnly ? readOnlyExtensionConfig : extensionConfig,
    { extensions },
    { concurrency: concurrency.extensionConfig },
  );
  manager.add(clusterClass, { extensions, runtimeSDK: true }, { concurrency: concurrency.clusterClass });
}
