import { type Backoff, type Clock, type Logger, minutes, seconds, taskGroup, wrap } from "#base";
import {
  type Connection,
  createClient,
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
  withDeadline,
} from "#client";
import { createCachedClient, type Reader } from "#control";
import { fieldAt, type ObjectKey } from "#machinery";
import { Pod } from "../core-kinds.ts";
import { ClusterNotConnectedError, UnnamedWatchError, UnusableClusterError } from "../errors.ts";
import { boundedTransport } from "./bounded-transport.ts";
import { cachedNodes, type CachedKind, openCachedKinds } from "./cached-kinds.ts";
import type { Connect, ConnectOptions } from "./cluster-accessor.ts";
import { readWorkloadSettings } from "./kubeconfig-secret.ts";
import { type ClusterCacheSettings, defaultSettings } from "./settings.ts";
import type { WorkloadConnection } from "./workload-connection.ts";

/** How much a cluster may take of this process. */
export interface ConnectionLimits extends Pick<
  HttpTransportOptions,
  "mostConnections" | "mostAnswerBytes" | "mostBytesAtOnce" | "mostEventBytes" | "mostUnread" | "rateLimit"
> {
  /** How many objects of a kind are kept in memory. */
  readonly mostObjects?: number;
}

/** The Pod that this program runs in, and how it reaches the cluster around it. */
export interface OwnPod {
  readonly pod: ObjectKey & { readonly uid: string };
  readonly around: Connection;
}

/** How connections to workload clusters are made. */
export interface ConnectorOptions {
  /** Reads the kubeconfig Secrets of the management cluster. */
  readonly secrets: Pick<Reader, "get">;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
  readonly userAgent: string;
  /** What is kept in memory of each cluster; its Nodes unless told. */
  readonly kinds?: readonly CachedKind[];
  readonly settings?: Partial<ClusterCacheSettings>;
  readonly limits?: ConnectionLimits;
  /** How long a cluster is left alone after a connection to it failed; up to two seconds unless told. */
  readonly backoff?: Backoff;
  /** Known where the manager may run in one of the clusters that it manages, which it then reaches from inside. */
  readonly ownPod?: OwnPod;
}

const mebibyte = 1024 * 1024;

/** The share of one cluster: more than a large one needs, and less than a bad one would like. */
export const defaultLimits: Required<ConnectionLimits> = {
  rateLimit: { qps: 20, burst: 30 },
  mostConnections: 6,
  mostAnswerBytes: 64 * mebibyte,
  mostBytesAtOnce: 96 * mebibyte,
  mostEventBytes: 4 * mebibyte,
  mostUnread: 4 * mebibyte,
  mostObjects: 20_000,
};

// As long as Cluster API lets lists and watches of its caches take.
const longestRequest = minutes(11);

/** Makes what connects to workload clusters. */
export function createConnector(options: ConnectorOptions): Connect {
  const { secrets, clock, random, log, userAgent, kinds = [cachedNodes], backoff, ownPod } = options;
  const { probeTimeout, callTimeout, syncTimeout } = { ...defaultSettings, ...options.settings };
  const { mostObjects, ...transportLimits } = { ...defaultLimits, ...options.limits };

  return async (cluster, { signal, onBroken }) => {
    const deadline = { clock, timeout: callTimeout, signal, what: "reading the kubeconfig" };
    const settings = await withDeadline(deadline, (ending) =>
      readWorkloadSettings(secrets, cluster, { signal: ending }),
    );
    const outside = await reach(settings, signal);
    if (!(await closingOnFailure(outside, () => isAround(outside, signal))))
      return await closingOnFailure(outside, () => opened(outside, settings, { signal, onBroken }));

    outside.close();
    const inside = {
      ...settings,
      server: ownPod?.around.server ?? "",
      tls: { ...settings.tls, ...ownPod?.around.tls },
    };
    const transport = await reach(inside, signal).catch((error: unknown) => {
      throw wrap(error, "using the in-cluster config");
    });
    return await closingOnFailure(transport, () => opened(transport, inside, { signal, onBroken }));
  };

  /** A transport to a server that answers, and answers as Kubernetes does. */
  async function reach(settings: Connection, signal: AbortSignal): Promise<HttpTransport> {
    const transport = createHttpTransport(settings, {
      clock,
      userAgent,
      connectTimeout: probeTimeout,
      requestTimeout: longestRequest,
      // Who is asked to come back much later, such as by a PodDisruptionBudget, wants to know rather than to wait.
      retries: { longestWait: seconds(2) },
      ...transportLimits,
      ...(backoff === undefined ? {} : { backoff }),
    });
    return await closingOnFailure(transport, async () => {
      try {
        await inTime((ending) => transport.probe("/", { signal: ending }), signal);
      } catch (error) {
        throw wrap(error, "error creating HTTP client and mapper: cluster is not reachable");
      }
      const served = await inTime((ending) => transport.read("/api/v1", { signal: ending }), signal).catch(noMapping);
      if (!servesNodes(served)) noMapping(new UnusableClusterError("the server serves no Node in version v1"));
      return transport;
    });
  }

  async function inTime<T>(ask: (ending: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return await withDeadline({ clock, timeout: probeTimeout, signal, what: "the probe" }, ask);
  }

  /** Whether this program runs in the cluster that it has reached. */
  async function isAround(transport: HttpTransport, signal: AbortSignal): Promise<boolean> {
    if (ownPod === undefined) return false;
    try {
      const calls = boundedTransport(transport, { clock, timeout: callTimeout, signal });
      const found = await createClient(calls).find(Pod, ownPod.pod);
      return found?.metadata.uid === ownPod.pod.uid;
    } catch (error) {
      throw wrap(error, "error checking if we're running on workload cluster");
    }
  }

  async function opened(
    transport: HttpTransport,
    settings: Connection,
    { signal, onBroken }: ConnectOptions,
  ): Promise<WorkloadConnection> {
    const ending = new AbortController();
    const calls = boundedTransport(transport, { clock, timeout: callTimeout, signal: ending.signal });
    const follows = boundedTransport(transport, { clock, timeout: longestRequest, signal: ending.signal });
    const plain = createClient(calls, { clock, random, fieldOwner: userAgent });
    const shared = { clock, random, log, kinds, mostObjects, onBroken };
    const kept = await openCachedKinds(
      { ...shared, client: plain, transport: follows },
      { signal, timeout: syncTimeout },
    ).catch((error: unknown) => {
      throw wrap(error, "error when waiting for cache to sync");
    });
    const { client } = createCachedClient({ client: plain, caches: kept.caches });
    const watches = taskGroup();
    const names = new Set<string>();

    return {
      settings,
      client,
      reader: kept.reader,
      probe: (rest) => transport.probe("/", rest),
      watch(watch) {
        if (watch.name === "") throw new UnnamedWatchError("a watch of a workload cluster needs a name");
        if (names.has(watch.name)) return;
        names.add(watch.name);
        watches.spawn(async () => {
          try {
            await kept.subscribe(watch, ending.signal);
          } catch (error) {
            // Whoever asked just before the end has nothing to be told of any more.
            if (!ending.signal.aborted) throw error;
          }
        });
      },
      caughtUp: () => kept.caches.caughtUp({ signal: ending.signal }),
      async close() {
        // The caches first: they would take the end of everything else for something to get over.
        const stopped = kept[Symbol.asyncDispose]();
        ending.abort(new ClusterNotConnectedError());
        transport.close();
        await Promise.all([stopped, watches[Symbol.asyncDispose]()]);
      },
    };
  }
}

async function closingOnFailure<T>(transport: HttpTransport, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    transport.close();
    throw error;
  }
}

function noMapping(error: unknown): never {
  throw wrap(error, "error creating HTTP client and mapper: error getting REST mapping");
}

/** Reads what a server says that it serves in the core group. */
function servesNodes(served: unknown): boolean {
  const resources = fieldAt(served, "resources");
  return Array.isArray(resources) && resources.some((resource) => fieldAt(resource, "name") === "nodes");
}
