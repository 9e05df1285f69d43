import { Cluster, labels, Machine } from "#api";
import { after, type Duration, latest, parseTimestamp, type Timestamp } from "#base";
import { type Condition, fact, findCondition } from "#conditions";
import { describeKey, keyOf, type KubeObject } from "#machinery";
import { leafInShort, leavesOf } from "./causes.ts";
import { conditionTree, isGood, type Judge } from "./condition-tree.ts";
import { factsAbout } from "./judge-by-tables.ts";
import { connectionTo, type ConnectionState } from "./known-facts.ts";
import { storedConditions } from "./stored-conditions.ts";

/** A workload cluster that does not answer: what is said of its Nodes is what was last known of them. */
export interface Unreachable {
  /** With its namespace. */
  readonly cluster: string;
  /** Whether the manager knows; if not, only whoever looks has found out. */
  readonly isNoticed: boolean;
  /** When the manager last reached it; absent where it does not say. */
  readonly since?: Timestamp;
  /** How long what was last known stands. */
  readonly gracePeriod: Duration;
  /** When that time is up; absent where nobody knows when it began. */
  readonly until?: Timestamp;
  /** What is wrong, the cause before what follows from it. */
  readonly causes: readonly string[];
}

/** Whether the workload cluster of a Cluster or a Machine does not answer although Machines do not say so yet. */
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

  const { since } = told;
  const gracePeriod = await gracePeriodFor(cluster, object, judge);
  const begins = latest(since, initialized.lastTransitionTime);
  // While probes succeed nobody knows which one will have been the last.
  const until = !told.isAway || begins === undefined ? undefined : after(begins, gracePeriod);
  // From then on the conditions say so themselves.
  if (until !== undefined && situation.clock.now() > until) return undefined;
  return {
    cluster: describeKey(key),
    isNoticed: told.isAway,
    ...(since === undefined ? {} : { since }),
    gracePeriod,
    ...(until === undefined ? {} : { until }),
    causes: await causesOf(cluster, judge),
  };
}

async function clusterOf(object: KubeObject, { situation }: Judge): Promise<Cluster | undefined> {
  if (Cluster.is(object)) return object;
  if (!Machine.is(object)) return undefined;
  const key = { namespace: object.metadata.namespace ?? "", name: object.spec.clusterName };
  return await situation.reader.find(Cluster, key, { signal: situation.signal });
}

interface Told {
  readonly isAway: boolean;
  readonly since?: Timestamp;
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
  const isAway = (probe !== undefined && probe.status !== "True") || (await isDisconnected(object, judge));
  const since = isAway ? latest(lastSuccessIn(probe), ...states.map(lastSuccessOf)) : undefined;
  return { isAway, ...(since === undefined ? {} : { since }) };
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

/** How long Machines wait, as a pass over one of them knew. */
async function gracePeriodFor(cluster: Cluster, object: KubeObject, { situation }: Judge): Promise<Duration> {
  const { reader, signal, gracePeriods } = situation;
  const { namespace = "", name = "" } = cluster.metadata;
  const [machine] = Machine.is(object)
    ? [object]
    : await reader.list(Machine, { namespace, labelSelector: `${labels.clusterName}=${name}`, signal });
  const known = machine === undefined ? undefined : await situation.known("Machine", machine);
  const { gracePeriod } = machine === undefined || known === undefined ? {} : factsAbout(machine, known);
  return gracePeriod === undefined ? gracePeriods.remoteConditions : fact.duration(gracePeriod, "facts.gracePeriod");
}

async function causesOf(cluster: Cluster, judge: Judge): Promise<readonly string[]> {
  const { conditions } = await judge.judge(cluster);
  const bad = ["InfrastructureReady", "RemoteConnectionProbe"].filter(
    (type) => !isGood({ condition: findCondition(conditions, type), negative: false }),
  );
  const trees = await Promise.all(bad.map((type) => conditionTree({ object: cluster, type, negative: false }, judge)));
  return trees.flatMap(leavesOf).map((leaf) => leafInShort(leaf, { kind: "", name: "" }));
}
