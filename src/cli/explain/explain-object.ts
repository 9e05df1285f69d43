import { kinds } from "#api";
import type { Timestamp } from "#base";
import { findCondition } from "#conditions";
import type { AnyKind } from "#client";
import { describeKey, fieldAt, isNotFound, keyOf, type KubeObject } from "#machinery";
import { NotThereError } from "../errors.ts";
import { leavesOf } from "./causes.ts";
import { type ConditionTree, conditionTree, createJudge, type Judge } from "./condition-tree.ts";
import { countedFor } from "./deciding-sources.ts";
import type { Dump } from "./dump.ts";
import type { JudgedObject } from "./judged-object.ts";
import { nextInTime } from "./next-in-time.ts";
import { thereAre } from "./missing-reference.ts";
import type { LastPass, Situation } from "./situation.ts";
import { type Unreachable, unreachable } from "./unreachable.ts";

/** What somebody wants to know. */
export interface Question {
  /** As kubectl takes it: `machine`, `machines`, `Machine`. */
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Absent: the one that sums up the others. */
  readonly condition?: string;
}

/** The answer. */
export interface ObjectExplanation {
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly tree: ConditionTree;
  /** Every condition of the object, in the order of its tables. */
  readonly conditions: readonly ConditionLine[];
  /** Those of them that count for the condition that is asked for. */
  readonly counted: readonly string[];
  readonly paused: boolean;
  /** Where the workload cluster does not answer and the condition hangs on that. */
  readonly unreachable?: Unreachable;
  readonly lastPass?: LastPass;
  /** What comes next after the manager's last passes, by object: `Machine default/worker`. */
  readonly next: Readonly<Record<string, string>>;
  /** What could not be read, what was taken for granted, and what is not known. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly missing: readonly string[];
}

/** A condition in short. */
export interface ConditionLine {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The row that decided; absent where no table of this program is about it. */
  readonly row?: string;
  readonly negative: boolean;
  readonly undecided: boolean;
  /** When its status last changed. */
  readonly since?: Timestamp;
}

/** The condition that sums up the others, by kind. */
const heads: ReadonlyMap<string, string> = new Map([
  ["Cluster", "Available"],
  ["Machine", "Available"],
  ["ClusterClass", "VariablesReady"],
  ["ExtensionConfig", "Discovered"],
]);

/** The condition that sums up the others of a kind. */
export function headOf(kind: string): string {
  return heads.get(kind) ?? "Available";
}

/** Explains a condition of an object, down to what decided it. */
export async function explainObject(question: Question, situation: Situation): Promise<ObjectExplanation> {
  const object = await findObject(question, situation);
  const judge = createJudge(situation);
  const judged = await judge.judge(object);
  const type = typeOf(question, judged);
  const negative = judged.judged.get(type)?.table.polarity === "negative";
  const tree = await conditionTree({ object, type, negative }, judge);
  const away = hangsOnCluster(object, type) ? await unreachable(object, judge) : undefined;
  const lastPass = await situation.lastPass(object.kind, object);
  const { name, namespace } = keyOf(object);
  return {
    object: { kind: object.kind, ...(namespace === undefined ? {} : { namespace }), name },
    tree,
    conditions: linesOf(judged),
    counted: countedFor(object, type, situation),
    paused: judged.paused,
    ...(away === undefined ? {} : { unreachable: away }),
    ...(lastPass === undefined ? {} : { lastPass }),
    next: await nextOf([tree, ...leavesOf(tree)], judge),
    problems: judged.problems,
    notes: situation.notes(),
    missing: [...new Set(missingIn(tree))],
  };
}

/** Conditions that say what was last known while the workload cluster does not answer. */
const ofClusters: Readonly<Record<string, readonly string[]>> = {
  Machine: ["Available", "Ready", "NodeReady", "NodeHealthy"],
  Cluster: [
    "Available",
    "RemoteConnectionProbe",
    "ControlPlaneAvailable",
    "WorkersAvailable",
    "ControlPlaneMachinesReady",
    "WorkerMachinesReady",
  ],
};

function hangsOnCluster({ kind }: KubeObject, type: string): boolean {
  return ofClusters[kind]?.includes(type) ?? false;
}

/** The kind that a word of the command line means, among those of this program. */
export function kindNamed(word: string): (typeof kinds)[number] | undefined {
  const asked = word.toLowerCase();
  return kinds.find((one) => {
    const { resource, group } = one.resource;
    return [one.kind.toLowerCase(), resource, `${resource}.${group}`, ...shortNamesOf(one)].includes(asked);
  });
}

/** The namespace of the only object in a dump that has this name, or else `default`. */
export function namespaceIn({ objects }: Dump, { kind: word, name }: Pick<Question, "kind" | "name">): string {
  const kind = kindNamed(word)?.kind;
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  return (found.length === 1 ? found[0]?.metadata.namespace : undefined) ?? "default";
}

function shortNamesOf(kind: (typeof kinds)[number]): readonly unknown[] {
  const names = fieldAt(kind.crd(), "spec", "names", "shortNames");
  return Array.isArray(names) ? names : [];
}

/** The object that is asked for; an error names those that are there. */
export async function findObject(
  { kind: word, name, namespace }: Question,
  { reader, signal }: Situation,
): Promise<KubeObject> {
  const kind = kindNamed(word);
  if (kind === undefined) {
    throw new NotThereError(`there is no kind ${word}; there are ${kinds.map((one) => one.kind).join(", ")}`);
  }
  const key = kind.namespaced ? { namespace, name } : { name };
  const untyped: AnyKind = kind;
  try {
    return await reader.get(untyped, key, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const where = kind.namespaced ? ` in namespace ${namespace}` : "";
    const all = await reader.list(untyped, kind.namespaced ? { namespace, signal } : { signal });
    const hint = thereAre(all.map(({ metadata }) => metadata.name ?? ""));
    throw new NotThereError(`there is no ${kind.kind} ${name}${where}: ${hint}`);
  }
}

/** A row knows only what it asks for itself; what really comes next the manager's last pass over the object says. */
async function nextOf(trees: readonly ConditionTree[], judge: Judge): Promise<Readonly<Record<string, string>>> {
  const told = new Set(trees.map(({ kind, name }) => `${kind} ${name}`));
  const next: Record<string, string> = {};
  for (const { object } of await judge.judged()) {
    const name = `${object.kind} ${describeKey(keyOf(object))}`;
    const lastPass = told.has(name) ? await judge.situation.lastPass(object.kind, object) : undefined;
    if (lastPass !== undefined) next[name] = nextInTime(lastPass);
  }
  return next;
}

function typeOf({ condition }: Question, { object, judged, stored }: JudgedObject): string {
  const known = [...new Set([...judged.keys(), ...stored.map(({ type }) => type)])];
  const usual = known.includes("Ready") ? "Ready" : known[0];
  const wanted = condition ?? heads.get(object.kind) ?? usual ?? "";
  const found = known.find((type) => type.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const what = wanted === "" ? "no condition at all" : `no condition ${wanted}`;
  const hint = known.length === 0 ? "nobody has reported any" : `there are ${known.join(", ")}`;
  throw new NotThereError(`${object.kind} ${object.metadata.name ?? ""} has ${what}: ${hint}`);
}

/** Every condition of an object in short, in the order of its tables. */
export function linesOf({ judged, stored, conditions }: JudgedObject): readonly ConditionLine[] {
  const types = [...new Set([...judged.keys(), ...stored.map(({ type }) => type)])];
  return types.flatMap((type) => {
    const found = judged.get(type);
    const condition = findCondition(conditions, type);
    if (condition === undefined && found === undefined) return [];
    const { status = "", reason = "", message = "", lastTransitionTime: since } = condition ?? {};
    return [
      {
        type,
        status,
        reason,
        message,
        ...(found === undefined ? {} : { row: found.explanation.row }),
        negative: found?.table.polarity === "negative",
        undecided: found?.explanation.undecided !== undefined,
        ...(since === undefined ? {} : { since }),
      },
    ];
  });
}

function missingIn({ kind, name, explanation, sources }: ConditionTree): readonly string[] {
  const own = (explanation?.undecided ?? []).map((fact) => `${fact} of ${kind} ${name}`);
  return [...own, ...sources.flatMap(missingIn)];
}
