import { Cluster, ClusterClass, defaultFeatureGates, ExtensionConfig, Machine } from "#api";
import { type Clock, describeError } from "#base";
import {
  type Condition,
  conditionOf,
  type ConditionTable,
  type Explanation,
  MalformedConditionsError,
  readConditions,
  setCondition,
  withUnknownFacts,
} from "#conditions";
import { factsOf, isPaused, type Reconciler } from "#control";
import { describeKey, type KubeObject, keyOf } from "#machinery";
import { cluster, readClusterFacts } from "#reconcilers/cluster";
import { clusterClass, readClassFacts } from "#reconcilers/clusterclass";
import { extensionConfig, readDiscoveryFacts, readOnlyExtensionConfig } from "#reconcilers/extensionconfig";
import { machine, readMachineFacts } from "#reconcilers/machine";
import { variableFacts } from "./class-facts.ts";
import { connectionFacts, refusingAccess, workloadAccess } from "./connection-facts.ts";
import { pauseFacts } from "./extension-facts.ts";
import { connectionTo, factsKey, type KnownFacts, timeOf } from "./known-facts.ts";
import type { Situation } from "./situation.ts";

/** A condition as its table sees it now. */
export interface JudgedCondition {
  readonly table: ConditionTable<never>;
  readonly explanation: Explanation;
}

/** An object, and what the tables of its kind say of it now. */
export interface JudgedObject {
  readonly object: KubeObject;
  /** By type; empty where no table of this program is about its kind. */
  readonly judged: ReadonlyMap<string, JudgedCondition>;
  /** As they stand on the object. */
  readonly stored: readonly Condition[];
  /** Those that the tables have decided, over those that stand on the object. */
  readonly conditions: readonly Condition[];
  readonly paused: boolean;
  /** What could not be read. */
  readonly problems: readonly string[];
}

/** Judges an object by the tables of its kind, and changes nothing. */
export async function judgeObject(object: KubeObject, situation: Situation): Promise<JudgedObject> {
  const known = await situation.known(object.kind, object);
  if (Cluster.is(object)) return await judgeCluster(object, known, situation);
  if (Machine.is(object)) return await judgeMachine(object, known, situation);
  if (ClusterClass.is(object)) return await judgeClass(object, known, situation);
  if (ExtensionConfig.is(object)) return await judgeExtension(object, known, situation);
  const { stored, problems } = storedConditions(object);
  return { object, judged: new Map(), stored, conditions: stored, paused: false, problems };
}

async function judgeCluster(object: Cluster, known: KnownFacts, situation: Situation): Promise<JudgedObject> {
  const state = connectionTo(known, keyOf(object));
  const { facts: connection, unknown } = connectionFacts(state);
  const ports = {
    connectionTo: () => connection,
    remoteConnectionGracePeriod: state.gracePeriod ?? situation.gracePeriods.remoteConnection,
    machinePoolsRollOut: true,
    features: defaultFeatureGates,
    sources: [],
  };
  return await judge(cluster, object, { ports, known, unknown, situation, read: readClusterFacts });
}

async function judgeMachine(object: Machine, known: KnownFacts, situation: Situation): Promise<JudgedObject> {
  const key = { namespace: object.metadata.namespace ?? "", name: object.spec.clusterName };
  const handedIn = factsAbout(object, known);
  const sight = "node" in handedIn ? ({ kind: "not-connected" } as const) : await situation.nodes(key);
  const { facts: connection, unknown } = connectionFacts(connectionTo(known, key));
  const ports = {
    workload: workloadAccess(connection, sight),
    remoteConditionsGracePeriod: situation.gracePeriods.remoteConditions,
    syncedLabels: () => false,
    syncedAnnotations: () => false,
    features: defaultFeatureGates,
    sources: [],
  };
  const unseen = sight.kind === "unknown" ? [...unknown, "node"] : unknown;
  return await judge(machine, object, { ports, known, unknown: unseen, situation, read: readMachineFacts });
}

async function judgeClass(object: ClusterClass, known: KnownFacts, situation: Situation): Promise<JudgedObject> {
  const ports = { runtimeSDK: true, extensions: { call: refusingAccess } };
  const learned = await variableFacts(object, situation);
  return await judge(clusterClass, object, { ports, known, learned, situation, read: readClassFacts });
}

async function judgeExtension(object: ExtensionConfig, known: KnownFacts, situation: Situation): Promise<JudgedObject> {
  const { registry, mode } = factsAbout(object, known);
  const ports = {
    extensions: {
      isReady: () => registry !== "cold",
      discover: refusingAccess,
      register: refusingAccess,
      unregister: refusingAccess,
    },
  };
  const unknown = registry === undefined ? ["registry"] : [];
  const learned = pauseFacts(object);
  const reconciler = mode === "reading" ? readOnlyExtensionConfig : extensionConfig;
  return await judge(reconciler, object, { ports, known, learned, unknown, situation, read: readDiscoveryFacts });
}

interface Judging<Facts, Ports> {
  readonly ports: Ports;
  readonly known: KnownFacts;
  /** Facts that acting would find out and that can be told without. */
  readonly learned?: Readonly<Partial<Facts>>;
  /** Facts that nobody knows. */
  readonly unknown?: readonly string[];
  readonly situation: Situation;
  readonly read: (value: unknown) => Facts;
}

async function judge<Obj extends KubeObject, Facts extends object, Ports>(
  reconciler: Reconciler<Obj, Facts, Ports>,
  object: Obj,
  { ports, known, learned, unknown = [], situation, read }: Judging<Facts, Ports>,
): Promise<JudgedObject> {
  const { reader, signal, spelling } = situation;
  const handedIn = factsAbout(object, known);
  const now =
    handedIn["now"] === undefined ? known.now : timeOf(handedIn["now"], `facts of ${describeKey(keyOf(object))}`);
  const clock = now === undefined ? situation.clock : at(situation.clock, now);
  const gathered = await factsOf(reconciler, object, {
    reader,
    ports,
    clock,
    signal,
    ...(learned === undefined ? {} : { known: learned }),
  });
  const whole = Object.keys(handedIn).length === 0 ? gathered.facts : read({ ...gathered.facts, ...handedIn });
  const missing = [...unknown, ...gathered.missing].filter(
    (name) => !Object.hasOwn(handedIn, name.split(".", 1)[0] ?? ""),
  );
  const facts = withUnknownFacts(whole, missing);

  const { stored, problems } = storedConditions(object);
  const judged = new Map<string, JudgedCondition>();
  const { generation = 0 } = object.metadata;
  const state = await reconciler.paused?.rule({ object, reader, signal });
  let conditions = stored;
  const note = (table: ConditionTable<never>, explanation: Explanation) => {
    judged.set(table.type, { table, explanation });
    // What cannot be told is left as it was told last.
    if (explanation.undecided !== undefined) return;
    const condition = conditionOf(table, explanation.report, "upstream");
    if (condition !== undefined) conditions = setCondition(conditions, condition, { now: clock.now(), generation });
  };
  const { paused } = reconciler;
  if (paused !== undefined && state !== undefined)
    note(paused.judgement.table, paused.judgement.explain({ facts: state, object, conditions }, spelling));
  for (const { table, explain } of reconciler.judgements) note(table, explain({ facts, object, conditions }, spelling));
  return {
    object,
    judged,
    stored,
    conditions,
    paused: state !== undefined && isPaused(state),
    problems: [...problems, ...gathered.problems.map(({ step, error }) => `${step}: ${describeError(error)}`)],
  };
}

/** What stands on an object; what cannot be understood is a problem, not a crash. */
function storedConditions(object: KubeObject): Pick<JudgedObject, "stored" | "problems"> {
  try {
    return { stored: readConditions(object), problems: [] };
  } catch (error) {
    if (!(error instanceof MalformedConditionsError)) throw error;
    return { stored: [], problems: [describeError(error)] };
  }
}

function factsAbout(object: KubeObject, { objects }: KnownFacts): Readonly<Record<string, unknown>> {
  return objects.get(factsKey(object.kind, keyOf(object))) ?? {};
}

/** A clock that stands still. */
function at(clock: Clock, now: ReturnType<Clock["now"]>): Clock {
  return { ...clock, now: () => now };
}
