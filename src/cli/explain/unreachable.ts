import { Cluster, labels, Machine } from "#api";
import { after, type Duration, latest, milliseconds, parseTimestamp, type Timestamp } from "#base";
import { type Condition, fact, findCondition } from "#conditions";
import { describeKey, keyOf, type KubeObject } from "#machinery";
import { leafInShort, leavesOf } from "./causes.ts";
import { conditionTree, isGood, type Judge } from "./condition-tree.ts";
import { answering } from "./deciding-sources.ts";
import { factsAbout } from "./judge-by-tables.ts";
import { connectionTo, type ConnectionState } from "./known-facts.ts";
import { storedConditions } from "./stored-conditions.ts";

/** A workload cluster that does not answer: what is said of its Nodes is what was last known of them, for a while. */
export interface Unreachable {
  /** With its namespace. */
  readonly cluster: string;
  /** Whether the manager knows; if not, only whoever looks has found out. */
  readonly isNoticed: boolean;
  /** When the manager last reached it; absent where that is not known. */
  readonly lastReached?: Timestamp;
  /** When RemoteConnectionProbe fails, where it has not. */
  readonly probeFails?: ProbeFailure;
  /** How long what was last known stands. */
  readonly gracePeriod: Duration;
  /** When that time is up; absent where nobody knows when it began. */
  readonly until?: Moment;
  /** Since when Machines say that nothing is known of their Nodes; absent while what was last known stands. */
  readonly unknownSince?: Timestamp;
  /** What is wrong, the cause before what follows from it. */
  readonly causes: readonly string[];
}

/** A time, or two between which it is. */
export interface Moment {
  readonly earliest: Timestamp;
  readonly latest: Timestamp;
}

/** When the probe of a connection counts as failed. */
export interface ProbeFailure {
  /** How long the last good one stands. */
  readonly gracePeriod: Duration;
  readonly at: Moment;
}

/** Whether the workload cluster of a Cluster or a Machine does not answer, and what that means for its Machines. */
export async function unreachable(object: KubeObject, judge: Judge): Promise<Unreachable | undefined> {
  const { situation } = judge;
  const cluster = await clusterOf(object, judge);
  if (cluster === undefined) return undefined;
  const initialized = findCondition(storedConditions(cluster).stored, "ControlPlaneInitialized");
  // Whoever was never there is not away.
  if (initialized?.status !== "True") return undefined;
  const key = keyOf(cluster);
  const told = await toldByManager(cluster, object, judge);
  if (!told.isAway && (await situation.nodes(key)).kind !== "not-connected") return undefined;

  const now = situation.clock.now();
  const lastProbe = lastProbeOf(told, now);
  const witness = await witnessOf(cluster, object, judge);
  const gracePeriod = await gracePeriodOf(witness, judge);
  const begins = noEarlierThan(lastProbe, initialized.lastTransitionTime);
  const until = begins === undefined ? undefined : later(begins, gracePeriod);
  const isOver = until !== undefined && now > until.latest;
  const probeFails = probeFailureOf(told, lastProbe, now);
  return {
    cluster: describeKey(key),
    isNoticed: told.isAway,
    ...(told.isAway && told.lastSuccess !== undefined ? { lastReached: told.lastSuccess } : {}),
    ...(probeFails === undefined ? {} : { probeFails }),
    gracePeriod,
    ...(until === undefined ? {} : { until }),
    ...(isOver ? { unknownSince: unknownSince(witness, until.latest) } : {}),
    causes: await causesOf(cluster, judge),
  };
}

/** When the last good probe was. While probes succeed nobody says so each time: then it is known only roughly. */
function lastProbeOf({ isAway, lastSuccess, gracePeriod }: Told, now: Timestamp): Moment | undefined {
  if (isAway) return lastSuccess === undefined ? undefined : { earliest: lastSuccess, latest: lastSuccess };
  const noticedOtherwise = after(now, milliseconds(0 - gracePeriod));
  return { earliest: latest(lastSuccess, noticedOtherwise) ?? noticedOtherwise, latest: now };
}

/** When the probe fails, where that is still to come. */
function probeFailureOf(told: Told, lastProbe: Moment | undefined, now: Timestamp): ProbeFailure | undefined {
  if (told.hasFailed || lastProbe === undefined) return undefined;
  const at = later(lastProbe, told.gracePeriod);
  return now > at.latest ? undefined : { gracePeriod: told.gracePeriod, at };
}

function noEarlierThan(moment: Moment | undefined, time: Timestamp | undefined): Moment | undefined {
  const [earliest, last] = [latest(moment?.earliest, time), latest(moment?.latest, time)];
  return earliest === undefined || last === undefined ? undefined : { earliest, latest: last };
}

function later(moment: Moment, duration: Duration): Moment {
  return { earliest: after(moment.earliest, duration), latest: after(moment.latest, duration) };
}

async function clusterOf(object: KubeObject, { situation }: Judge): Promise<Cluster | undefined> {
  if (Cluster.is(object)) return object;
  if (!Machine.is(object)) return undefined;
  const key = { namespace: object.metadata.namespace ?? "", name: object.spec.clusterName };
  return await situation.reader.find(Cluster, key, { signal: situation.signal });
}

interface Told {
  /** Whether the manager knows that the cluster does not answer. */
  readonly isAway: boolean;
  /** Whether RemoteConnectionProbe says so already. */
  readonly hasFailed: boolean;
  /** The last good probe that is known of; there may have been others since while the cluster is not away. */
  readonly lastSuccess?: Timestamp;
  /** How long a good probe stands for RemoteConnectionProbe. */
  readonly gracePeriod: Duration;
}

/** What the manager knows: from its last passes, and from what it has written. */
async function toldByManager(cluster: Cluster, object: KubeObject, judge: Judge): Promise<Told> {
  const { situation } = judge;
  const key = keyOf(cluster);
  const states = await Promise.all(
    [cluster, ...(object === cluster ? [] : [object])].map(async (one) =>
      connectionTo(await situation.known(one.kind, one), key),
    ),
  );
  // To judge a whole Cluster for the sake of one Machine would take too long.
  const conditions = object === cluster ? (await judge.judge(cluster)).conditions : storedConditions(cluster).stored;
  const probe = findCondition(conditions, "RemoteConnectionProbe");
  const hasFailed = probe !== undefined && probe.status !== "True";
  const lastSuccess = latest(lastSuccessIn(probe), ...states.map(lastSuccessOf));
  return {
    isAway: hasFailed || (await isDisconnected(object, judge)),
    hasFailed,
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
    gracePeriod: states[0]?.gracePeriod ?? situation.gracePeriods.remoteConnection,
  };
}

/** Rows of NodeReady that fire where the manager has lost the connection. */
const withoutConnection: ReadonlySet<string> = new Set(["connection-lost", "disconnected", "disconnected-keep"]);

async function isDisconnected(object: KubeObject, judge: Judge): Promise<boolean> {
  const nodeReady = Machine.is(object) ? (await judge.judge(object)).judged.get("NodeReady") : undefined;
  if (nodeReady === undefined || nodeReady.explanation.undecided !== undefined) return false;
  return withoutConnection.has(nodeReady.explanation.row);
}

function lastSuccessOf({ lastProbeSuccess }: ConnectionState): Timestamp | undefined {
  return lastProbeSuccess === "never" ? undefined : lastProbeSuccess;
}

/** Who has no last passes to ask can still read when the last probe succeeded. */
function lastSuccessIn(probe: Condition | undefined): Timestamp | undefined {
  const [, time] = /, probe last succeeded at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(probe?.message ?? "") ?? [];
  return time === undefined ? undefined : parseTimestamp(time);
}

/** A Machine that can tell how it is for those of the Cluster. */
async function witnessOf(cluster: Cluster, object: KubeObject, { situation }: Judge): Promise<Machine | undefined> {
  if (Machine.is(object)) return object;
  const { reader, signal } = situation;
  const { namespace = "", name = "" } = cluster.metadata;
  const machines = await reader.list(Machine, { namespace, labelSelector: `${labels.clusterName}=${name}`, signal });
  return machines[0];
}

/** How long Machines wait, as a pass over one of them knew. */
async function gracePeriodOf(machine: Machine | undefined, { situation }: Judge): Promise<Duration> {
  const known = machine === undefined ? undefined : await situation.known("Machine", machine);
  const { gracePeriod } = machine === undefined || known === undefined ? {} : factsAbout(machine, known);
  return gracePeriod === undefined
    ? situation.gracePeriods.remoteConditions
    : fact.duration(gracePeriod, "facts.gracePeriod");
}

/** Since when a Machine says so; where it does not yet, since when it should. */
function unknownSince(machine: Machine | undefined, due: Timestamp): Timestamp {
  const nodeReady = machine === undefined ? undefined : findCondition(storedConditions(machine).stored, "NodeReady");
  return (nodeReady?.status === "Unknown" ? latest(nodeReady.lastTransitionTime, due) : undefined) ?? due;
}

async function causesOf(cluster: Cluster, judge: Judge): Promise<readonly string[]> {
  const { conditions } = await judge.judge(cluster);
  const cause = answering.find((type) => !isGood({ condition: findCondition(conditions, type), negative: false }));
  if (cause === undefined) return [];
  const tree = await conditionTree({ object: cluster, type: cause, negative: false }, judge);
  return leavesOf(tree).map((leaf) => leafInShort(leaf, { kind: "", name: "" }));
}
