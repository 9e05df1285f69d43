import {
  after,
  type Duration,
  formatDuration,
  instantOf,
  type Logger,
  milliseconds,
  parseTimestamp,
  seconds,
  type Timestamp,
} from "#base";
import type { KeySource } from "#control";
import { namespacedName, type ObjectKey } from "#machinery";

/** Tells of Clusters whose connection or health changed in a way that its listeners care about. */
export interface ClusterSource extends KeySource {
  /** Calls the listener with the key of each such Cluster, until the signal ends it. */
  subscribe(listener: (cluster: ObjectKey) => void, options: { readonly signal: AbortSignal }): void;
}

/** Who listens to a source, and what for besides connecting and disconnecting. */
export interface ClusterSourceOptions {
  /** The reconciler that is woken, for the log. */
  readonly name: string;
  /** Also tells when no probe has succeeded for longer than each of these. */
  readonly probeFailures?: readonly Duration[];
  /** Counts that time anew from the initialization of the control plane, where that came after the last good probe. */
  readonly sinceInitialized?: boolean;
}

/** What happened to a Cluster, and what is known of its probes. */
export interface ClusterNews {
  readonly now: Timestamp;
  readonly lastProbeSuccess?: Timestamp | undefined;
  /** When its control plane was initialized: patience with its probes begins no earlier. */
  readonly initialized?: Timestamp | undefined;
  readonly didConnect: boolean;
  readonly didDisconnect: boolean;
}

/** What is known of the probes of a Cluster. */
type ProbeNews = Pick<ClusterNews, "now" | "lastProbeSuccess" | "initialized">;

/** All sources of a cluster cache. */
export interface ClusterSources {
  add(options: ClusterSourceOptions): ClusterSource;
  /** Tells every source that cares; returns the names of those. */
  tell(cluster: ObjectKey, news: ClusterNews): readonly string[];
  /** How long it is until each of those who care has to be told that no probe has succeeded for too long. */
  waits(news: ProbeNews): readonly Duration[];
  /** Forgets when a Cluster was last told of. */
  forget(cluster: ObjectKey): void;
}

// Stands for times that have never been: those who wait for something that never came hear of it once.
const never = parseTimestamp("0001-01-01T00:00:00Z");

// Times are whole seconds, so a time that is up can be seen to be over one second later.
const toBeOver = seconds(1);

/** What a source is told of, and when it was told last. */
interface ToldOf extends Pick<ClusterSourceOptions, "sinceInitialized"> {
  readonly lastTold?: Timestamp | undefined;
  readonly probeFailures: readonly Duration[];
}

/** Why a source is told about a Cluster; empty where it is not. */
export function reasonsToTell(
  news: ClusterNews,
  { lastTold = never, probeFailures, sinceInitialized = false }: ToldOf,
): readonly string[] {
  const now = instantOf(news.now);
  const overdue = probeFailures.filter((duration) =>
    duesOf(news, { duration, sinceInitialized }).some((due) => instantOf(lastTold) < due && due < now),
  );
  return [
    ...(news.didConnect ? ["connect"] : []),
    ...(news.didDisconnect ? ["disconnect"] : []),
    ...overdue.map((duration) => `health probe didn't succeed since more than ${formatDuration(duration)}`),
  ];
}

/** When so long a silence is up: after the last good probe, and after an initialization that came later. */
function duesOf(
  { lastProbeSuccess = never, initialized = never }: ProbeNews,
  { duration, sinceInitialized }: { readonly duration: Duration; readonly sinceInitialized: boolean },
): readonly number[] {
  const isLater = sinceInitialized && initialized > lastProbeSuccess;
  const beginnings = [lastProbeSuccess, ...(isLater ? [initialized] : [])];
  return beginnings.map((beginning) => instantOf(beginning) + duration);
}

/** Makes the sources of a cluster cache. */
export function createClusterSources({ log }: { readonly log: Logger }): ClusterSources {
  const sources: Source[] = [];
  return {
    add({ name, probeFailures = [], sinceInitialized = false }) {
      const source: Source = { name, probeFailures, sinceInitialized, listeners: new Set(), lastTold: new Map() };
      sources.push(source);
      return {
        name: `cluster cache for ${name}`,
        subscribe(listener, { signal }) {
          if (signal.aborted) return;
          source.listeners.add(listener);
          signal.addEventListener("abort", () => source.listeners.delete(listener), { once: true });
        },
      };
    },
    tell(cluster, news) {
      const told = sources.filter((source) => tellOne(source, cluster, news));
      return told.map(({ name }) => name);
    },
    waits(news) {
      return sources
        .flatMap(({ probeFailures, sinceInitialized }) =>
          probeFailures.flatMap((duration) => duesOf(news, { duration, sinceInitialized })),
        )
        .map((due) => milliseconds(due + toBeOver - instantOf(news.now)))
        .filter((wait) => wait > 0);
    },
    forget(cluster) {
      for (const { lastTold } of sources) lastTold.delete(namespacedName(cluster));
    },
  };

  function tellOne(source: Source, cluster: ObjectKey, news: ClusterNews) {
    const { name, probeFailures, sinceInitialized, listeners, lastTold } = source;
    const id = namespacedName(cluster);
    const reasons = reasonsToTell(news, { lastTold: lastTold.get(id), probeFailures, sinceInitialized });
    if (reasons.length === 0) return false;
    log.debug("telling of a Cluster", { reconciler: name, cluster: id, reasons: reasons.join(", ") });
    // Passes see whole seconds: who is told in the very second in which a time is up cannot see yet that it is over.
    lastTold.set(id, after(news.now, milliseconds(0 - toBeOver)));
    for (const listener of listeners) listener(cluster);
    return true;
  }
}

interface Source {
  readonly name: string;
  readonly probeFailures: readonly Duration[];
  readonly sinceInitialized: boolean;
  readonly listeners: Set<(cluster: ObjectKey) => void>;
  /** By Cluster. */
  readonly lastTold: Map<string, Timestamp>;
}
