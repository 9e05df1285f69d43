import { Cluster, ClusterClass, ExtensionConfig, Machine } from "#api";
import type { Condition, ConditionTable, Explanation } from "#conditions";
import type { KubeObject } from "#machinery";
import type { KnownFacts } from "./known-facts.ts";
import type { Situation } from "./situation.ts";
import { storedConditions } from "./stored-conditions.ts";

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

/** What is at hand to judge an object. */
export interface Judging {
  readonly known: KnownFacts;
  readonly situation: Situation;
}

/** Judges the objects of a kind whose tables this room does not know, such as one of a provider. */
export interface KindJudge {
  isOf(object: KubeObject): boolean;
  /** The types of the same object that a condition is made of. */
  sums(type: string): readonly string[];
  /** Undefined for objects of other kinds. */
  judge(object: KubeObject, judging: Judging): Promise<JudgedObject | undefined>;
}

/** Makes the judge of a kind. */
export function judgeOf<Obj extends KubeObject>(
  kind: { is(object: KubeObject): object is Obj },
  judge: (object: Obj, judging: Judging) => Promise<JudgedObject>,
  sums: Readonly<Record<string, readonly string[]>> = {},
): KindJudge {
  return {
    isOf: (object) => kind.is(object),
    sums: (type) => (Object.hasOwn(sums, type) ? (sums[type] ?? []) : []),
    judge: async (object, judging) => (kind.is(object) ? await judge(object, judging) : undefined),
  };
}

/** Judges an object by the tables of its kind, and changes nothing. */
export async function judgeObject(object: KubeObject, situation: Situation): Promise<JudgedObject> {
  const judging = { known: await situation.known(object.kind, object), situation };
  // Each reconciler brings a good part of the program along, and most questions are about few kinds.
  if (Cluster.is(object)) return await (await import("./judge-cluster.ts")).judgeCluster(object, judging);
  if (Machine.is(object)) return await (await import("./judge-machine.ts")).judgeMachine(object, judging);
  if (ClusterClass.is(object)) return await (await import("./judge-class.ts")).judgeClass(object, judging);
  if (ExtensionConfig.is(object)) return await (await import("./judge-extension.ts")).judgeExtension(object, judging);
  const handedIn = situation.judges?.find((judge) => judge.isOf(object));
  const judged = await handedIn?.judge(object, judging);
  if (judged !== undefined) return judged;
  const { stored, problems } = storedConditions(object);
  return { object, judged: new Map(), stored, conditions: stored, paused: false, problems };
}
