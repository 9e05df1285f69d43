import { type Condition, findCondition, type Explanation } from "#conditions";
import { describeKey, keyOf, type KubeObject } from "#machinery";
import { type Difference, differenceOf } from "./difference.ts";
import { judgeObject, type JudgedObject } from "./judged-object.ts";
import { type MissingReference, referenceOf } from "./missing-reference.ts";
import type { Situation } from "./situation.ts";
import { isWaiting, type Source, sourcesOf } from "./deciding-sources.ts";

/** A condition, why it is so, and the conditions that decided. */
export interface ConditionTree {
  readonly kind: string;
  /** With its namespace. */
  readonly name: string;
  readonly type: string;
  /** As its table says now, or as it stands on the object where no table of this program is about it. */
  readonly condition?: Pick<Condition, "status" | "reason" | "message">;
  readonly good: boolean;
  /** Absent where no table of this program is about it. */
  readonly explanation?: Explanation;
  readonly difference?: Difference;
  /** Whether its own row decided, and its sources only say why that came to be. */
  readonly isOwnDecision?: boolean;
  /** The object of a provider that it mirrors, where that could not be read. */
  readonly reference?: MissingReference;
  /** Those that decided. */
  readonly sources: readonly ConditionTree[];
  /** Those that had nothing to do with it, by name. */
  readonly others: readonly string[];
}

/** Judges each object once, however often it is a source. */
export interface Judge {
  readonly situation: Situation;
  judge(object: KubeObject): Promise<JudgedObject>;
  /** All that were judged so far. */
  judged(): Promise<readonly JudgedObject[]>;
}

/** Makes what judges each object once. */
export function createJudge(situation: Situation): Judge {
  const known = new Map<string, Promise<JudgedObject>>();
  return {
    situation,
    judge(object) {
      const name = nameOf(object);
      const judged = known.get(name) ?? judgeObject(object, situation);
      known.set(name, judged);
      return judged;
    },
    judged: () => Promise.all(known.values()),
  };
}

/** Follows a condition down to what decided it. */
export async function conditionTree({ object, type, negative }: Source, judge: Judge): Promise<ConditionTree> {
  const judged = await judge.judge(object);
  const found = judged.judged.get(type);
  const condition = findCondition(judged.conditions, type);
  const good = isGood({ condition, negative });
  const sources = await sourcesOf({ object, type, row: found?.explanation.row }, judge.situation);
  const states = (await Promise.all(sources.map((source) => stateOf(source, judge)))).flatMap((state) => state ?? []);
  const isDecided = sources.length > 0 && !good;
  // Of a condition that is well nothing in particular decided.
  const deciding = isDecided ? states.filter(({ good: fine }) => !fine) : [];
  const reference = sources.length > 0 || good ? undefined : await referenceOf(object, type, judge.situation);
  const waits = isDecided && isWaiting(type, found?.explanation.row);
  const difference = found === undefined ? undefined : differenceOf(found, judged);
  return {
    kind: object.kind,
    name: describeKey(keyOf(object)),
    type,
    ...(condition === undefined ? {} : { condition: shown(condition) }),
    good,
    ...(found === undefined ? {} : { explanation: found.explanation }),
    ...(difference === undefined ? {} : { difference }),
    ...(waits ? { isOwnDecision: true } : {}),
    ...(reference === undefined ? {} : { reference }),
    sources: await Promise.all(deciding.map(({ source }) => conditionTree(source, judge))),
    others: states.filter((state) => !deciding.includes(state)).map(({ source }) => labelOf(source, object)),
  };
}

interface SourceState {
  readonly source: Source;
  readonly good: boolean;
}

async function stateOf(source: Source, judge: Judge): Promise<SourceState | undefined> {
  const { conditions } = await judge.judge(source.object);
  const condition = findCondition(conditions, source.type);
  // A condition that only some report, such as HealthCheckSucceeded, does not count where nobody does.
  if (condition === undefined && optional.has(source.type)) return undefined;
  return { source, good: isGood({ condition, negative: source.negative }) };
}

const optional = new Set(["HealthCheckSucceeded"]);

/** Whether a condition is good news. */
export function isGood(seen: { readonly condition: Condition | undefined; readonly negative: boolean }): boolean {
  return seen.condition?.status === (seen.negative ? "False" : "True");
}

function labelOf({ object, type }: Source, of: KubeObject): string {
  return object === of ? type : `${object.kind}/${object.metadata.name ?? ""} ${type}`;
}

function shown({ status, reason, message }: Condition): Pick<Condition, "status" | "reason" | "message"> {
  return { status, reason, message };
}

function nameOf(object: KubeObject): string {
  return `${object.apiVersion} ${object.kind} ${describeKey(keyOf(object))}`;
}
