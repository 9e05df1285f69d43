import { type Clock, describeError } from "#base";
import { conditionOf, type ConditionTable, type Explanation, setCondition, withUnknownFacts } from "#conditions";
import { factsOf, isPaused, type Reconciler } from "#control";
import { describeKey, keyOf, type KubeObject } from "#machinery";
import type { JudgedCondition, JudgedObject, Judging } from "./judged-object.ts";
import { factsKey, type KnownFacts, timeOf } from "./known-facts.ts";
import { storedConditions } from "./stored-conditions.ts";

/** What tables need to judge the objects of a kind. */
export interface TableJudging<Facts, Ports> extends Judging {
  readonly ports: Ports;
  /** Facts that acting would find out and that can be told without. */
  readonly learned?: Readonly<Partial<Facts>>;
  /** Facts that nobody knows. */
  readonly unknown?: readonly string[];
  /** Reads facts that somebody wrote down. */
  readonly read: (value: unknown) => Facts;
}

/** Gathers the facts of a pass without making one, and asks the tables of the reconciler. */
export async function judgeByTables<Obj extends KubeObject, Facts extends object, Ports>(
  reconciler: Reconciler<Obj, Facts, Ports>,
  object: Obj,
  { ports, known, learned, unknown = [], situation, read }: TableJudging<Facts, Ports>,
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

/** What somebody knows of an object beside what it says itself. */
export function factsAbout(object: KubeObject, { objects }: KnownFacts): Readonly<Record<string, unknown>> {
  return objects.get(factsKey(object.kind, keyOf(object))) ?? {};
}

/** A clock that stands still. */
function at(clock: Clock, now: ReturnType<Clock["now"]>): Clock {
  return { ...clock, now: () => now };
}
