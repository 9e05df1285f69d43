import type { Clock, Duration, Logger, Timestamp } from "#base";
import { withDeadline } from "#client";
import type { ObjectKey } from "#machinery";
import { afterFailure, afterSuccess, type ClusterHealth, probeHealth, unknownHealth } from "./cluster-health.ts";
import type { ClusterSources } from "./cluster-sources.ts";
import type { ConnectTurns } from "./connect-turns.ts";
import { soonest, timeLeft } from "./pace.ts";
import type { ClusterCacheSettings } from "./settings.ts";
import type { WorkloadConnection } from "./workload-connection.ts";

/** Is told how the connections to workload clusters are, for metrics; each hook may be left out, and none may throw. */
export interface ClusterCacheObserver {
  onProbe?(cluster: ObjectKey, result: "success" | "error"): void;
  onConnection?(cluster: ObjectKey, state: "up" | "down"): void;
  /** The Cluster is gone. */
  onForgotten?(cluster: ObjectKey): void;
}

/** How a connection is made. */
export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Is told what makes the connection useless although the cluster may still answer. */
  readonly onBroken: (error: unknown) => void;
}

/** Opens a connection to the workload cluster of a Cluster, or throws why it cannot. */
export type Connect = (cluster: ObjectKey, options: ConnectOptions) => Promise<WorkloadConnection>;

/** What a visit has at hand. */
export interface VisitOptions {
  readonly signal: AbortSignal;
  /** When the control plane of the cluster was initialized, where that is known. */
  readonly initialized?: Timestamp | undefined;
}

/** What accessors need from outside; all of them share it. */
export interface AccessorTools {
  readonly clock: Clock;
  /** The clock of deadlines: only tests have another one for these. */
  readonly callClock: Clock;
  readonly log: Logger;
  readonly settings: ClusterCacheSettings;
  readonly turns: ConnectTurns;
  readonly sources: ClusterSources;
  readonly connect: Connect;
  readonly observer: ClusterCacheObserver;
}

/** Connects to one workload cluster, probes it and lets go of it, all when it is visited. */
export class ClusterAccessor {
  readonly #cluster: ObjectKey;
  readonly #tools: AccessorTools;
  readonly #log: Logger;
  /** Asks for a visit before its time. */
  readonly #wake: () => void;
  #health: ClusterHealth = unknownHealth;
  #connection: WorkloadConnection | undefined;
  /** What makes the connection useless although it answers. */
  #breakage: { readonly error: unknown } | undefined;
  /** When a connection could not be made, or was given up: it is not tried again at once. */
  #gaveUpAt: Duration | undefined;
  #probedAt: Duration | undefined;

  constructor(cluster: ObjectKey, tools: AccessorTools, wake: () => void) {
    this.#cluster = cluster;
    this.#tools = tools;
    this.#wake = wake;
    this.#log = tools.log.child({ cluster: cluster.name, namespace: cluster.namespace });
  }

  get health(): ClusterHealth {
    return this.#health;
  }

  get connection(): WorkloadConnection | undefined {
    return this.#connection;
  }

  /** Does what is due, and says how long it is until something else is. */
  async visit({ signal, initialized }: VisitOptions): Promise<Duration> {
    const { clock, sources, settings } = this.#tools;
    const wasConnected = this.#connection !== undefined;
    const waits: Duration[] = [];
    if (!wasConnected) waits.push(...(await this.#tryToConnect(signal)));
    const didConnect = !wasConnected && this.#connection !== undefined;
    const isConnected = this.#connection !== undefined;
    if (isConnected) waits.push(await this.#tryToProbe(signal));
    const didDisconnect = isConnected && this.#connection === undefined;
    const { lastProbeSuccess } = this.#health;
    const news = { now: clock.now(), lastProbeSuccess, initialized, didConnect, didDisconnect };
    sources.tell(this.#cluster, news);
    // Who waits for a time to be up does not wait for the next attempt to connect besides.
    return soonest([...waits, ...sources.waits(news)], settings.fallbackInterval);
  }

  /** Lets go of the cluster. What is known of its health stays, so that conditions go on telling the truth. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    this.#breakage = undefined;
    this.#tools.observer.onConnection?.(this.#cluster, "down");
    await connection.close();
  }

  async #tryToConnect(signal: AbortSignal): Promise<readonly Duration[]> {
    const { clock, turns, observer, settings } = this.#tools;
    const { connectRetryInterval } = settings;
    const left = timeLeft(clock.elapsed(), { last: this.#gaveUpAt, interval: connectRetryInterval });
    if (left !== undefined) return [left];
    using _ = await turns.take({ failures: this.#health.consecutiveFailures, signal });
    try {
      this.#connection = await this.#connect(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#gaveUpAt = clock.elapsed();
      this.#health = afterFailure(this.#health, clock.now());
      const { consecutiveFailures } = this.#health;
      this.#log.warn("connecting to a workload cluster failed", { error, consecutiveFailures });
      observer.onConnection?.(this.#cluster, "down");
      return [connectRetryInterval];
    }
    this.#health = afterSuccess(clock.now());
    this.#gaveUpAt = undefined;
    this.#probedAt = clock.elapsed();
    this.#log.info("connected to a workload cluster");
    observer.onConnection?.(this.#cluster, "up");
    return [];
  }

  async #connect(signal: AbortSignal): Promise<WorkloadConnection> {
    this.#breakage = undefined;
    const onBroken = (error: unknown): void => {
      this.#breakage ??= { error };
      this.#wake();
    };
    return await this.#tools.connect(this.#cluster, { signal, onBroken });
  }

  async #tryToProbe(signal: AbortSignal): Promise<Duration> {
    const { clock, observer, settings } = this.#tools;
    const { probeInterval, failureThreshold } = settings;
    const left = timeLeft(clock.elapsed(), { last: this.#probedAt, interval: probeInterval });
    if (left !== undefined && this.#breakage === undefined) return left;

    this.#probedAt = clock.elapsed();
    const verdict = await probeHealth(this.#health, () => this.#probe(signal), { clock, failureThreshold });
    signal.throwIfAborted();
    this.#health = verdict.health;
    const { error, unauthorized, tooManyFailures } = verdict;
    observer.onProbe?.(this.#cluster, error === undefined ? "success" : "error");
    if (error !== undefined) {
      const { consecutiveFailures } = this.#health;
      this.#log.warn("probing a workload cluster failed", { error, consecutiveFailures });
    }
    const isUseless = unauthorized || tooManyFailures || this.#breakage !== undefined;
    if (!isUseless) return probeInterval;
    this.#log.warn("disconnecting from a workload cluster", { unauthorized, tooManyFailures });
    await this.disconnect();
    if (unauthorized) return settings.unauthorizedRetry;
    this.#gaveUpAt = clock.elapsed();
    return settings.connectRetryInterval;
  }

  async #probe(signal: AbortSignal): Promise<void> {
    if (this.#breakage !== undefined) throw this.#breakage.error;
    const { callClock, settings } = this.#tools;
    const deadline = { clock: callClock, timeout: settings.probeTimeout, signal, what: "the probe" };
    await withDeadline(deadline, async (ending) => await this.#connection?.probe({ signal: ending }));
  }
}
