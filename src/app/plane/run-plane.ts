import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { groups, labels } from "#api";
import { type Logger, systemClock } from "#base";
import type { Client } from "#client";
import { definitionsInMemory } from "#contract";
import {
  type Authorize,
  createManager,
  type LeaderElectionOptions,
  type Manager,
  reviewAuthorizer,
  type Started,
  type WebhookServing,
} from "#control";
import type { WorkloadServers } from "#providers";
import type { ClusterCacheSettings } from "#workload";
import { addControllers } from "./controllers.ts";
import type { PlaneChoices } from "./plane-flags.ts";

/** What the controllers run with, besides what flags choose. */
export interface PlaneOptions {
  readonly client: Client;
  readonly log: Logger;
  readonly choices: PlaneChoices;
  readonly servers?: WorkloadServers;
  readonly leaderElection?: LeaderElectionOptions;
  readonly userAgent: string;
  /** The admission webhooks, where they are served. */
  readonly webhooks?: WebhookServing;
  /** How often workload clusters are probed; as in Cluster API unless told otherwise. */
  readonly clusterCache?: Partial<ClusterCacheSettings>;
  /** Who may see the last passes; whoever the API server lets get the path unless told otherwise. */
  readonly authorize?: Authorize;
}

/** A plane that runs. */
export interface RunningPlane {
  readonly manager: Manager;
  /** Where diagnostics are served, if they are. */
  readonly diagnosticsPort?: number;
  /** Resolves when everything has stopped. */
  readonly ended: Promise<void>;
}

/** Starts all controllers; resolves when they work, or when they never will. */
export async function startPlane(
  options: PlaneOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<RunningPlane> {
  const { client, log, choices, servers, leaderElection, userAgent, clusterCache, webhooks } = options;
  const { authorize = reviewAuthorizer(client) } = options;
  const { diagnostics, health, conditionReasons, syncPeriod, namespace, watchFilter } = choices;
  const selection = {
    ...(namespace === "" ? {} : { namespaces: [namespace] }),
    ...(watchFilter === "" ? {} : { labelSelector: `${labels.watchFilter}=${watchFilter}` }),
  };
  const registry = new Registry();
  const manager = createManager({
    client,
    log,
    registry,
    random: Math.random,
    uuid: randomUUID,
    conditionReasons,
    cacheDefaults: { resyncEvery: syncPeriod, ...(namespace === "" ? {} : { selection: { namespaces: [namespace] } }) },
    cacheKinds: [
      definitionsInMemory,
      { kind: { group: "", kind: "Secret" }, live: true },
      ...(watchFilter === "" ? [] : [{ kind: { group: groups.core, kind: "Cluster" }, selection }]),
    ],
    ...(leaderElection === undefined ? {} : { leaderElection }),
    ...(health === undefined ? {} : { health }),
    ...(webhooks === undefined ? {} : { webhooks }),
    ...(diagnostics === undefined ? {} : { diagnostics: { ...diagnostics, authorize } }),
  });
  await addControllers(manager, {
    client,
    clock: systemClock,
    log,
    random: Math.random,
    registry,
    userAgent,
    ...choices,
    ...(servers === undefined ? {} : { servers }),
    ...(clusterCache === undefined ? {} : { clusterCache }),
  });
  let started: (at: Started) => void;
  const begun = new Promise<Started>((resolve) => (started = resolve));
  const ended = manager.run({ signal, onStarted: (at) => started(at) });
  const { diagnosticsPort } = (await Promise.race([begun, ended])) ?? {};
  return { manager, ended, ...(diagnosticsPort === undefined ? {} : { diagnosticsPort }) };
}
