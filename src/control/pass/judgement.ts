import type { Next } from "#base";
import {
  type Condition,
  type ConditionTable,
  decide,
  type Evidence,
  explain,
  type Explanation,
  nameOf,
  type ReasonSpelling,
  type Report,
} from "#conditions";
import type { KubeObject } from "#machinery";

/** What a table is judged over when facts alone do not suffice. */
export interface Seen<Obj extends KubeObject, Facts> {
  readonly facts: Facts;
  readonly object: Obj;
  /** Those that the tables before have decided in this pass, over those that stand on the object. */
  readonly conditions: readonly Condition[];
}

/** What a table has decided. */
export interface Verdict {
  readonly row: string;
  readonly evidence: Evidence;
  readonly report: Report;
  readonly next: Next;
}

/** A table, and where its facts come from. */
export interface Judgement<Obj extends KubeObject, Facts> {
  /** `Machine.NodeReady` */
  readonly name: string;
  readonly table: ConditionTable<never>;
  readonly decide: (seen: Seen<Obj, Facts>) => Verdict;
  readonly explain: (seen: Seen<Obj, Facts>, spelling?: ReasonSpelling) => Explanation;
}

/** A table over facts that are made of what was seen: of conditions decided before it, for instance. */
export function judged<Obj extends KubeObject, Facts, TableFacts, Reason extends string, Id extends string>(
  table: ConditionTable<TableFacts, Reason, Id>,
  factsFrom: (seen: Seen<Obj, Facts>) => NoInfer<TableFacts>,
): Judgement<Obj, Facts> {
  return {
    name: nameOf(table),
    table,
    decide: (seen) => {
      const { row, evidence, report, next } = decide(table, factsFrom(seen));
      return { row: row.id, evidence, report, next };
    },
    explain: (seen, spelling) => explain(table, factsFrom(seen), spelling),
  };
}

/** A table as a judgement; one over the facts of the pass needs nothing else. */
export function judgementOf<Obj extends KubeObject, Facts>(
  condition: ConditionTable<Facts> | Judgement<Obj, Facts>,
): Judgement<Obj, Facts> {
  return "decide" in condition ? condition : judged(condition, ({ facts }) => facts);
}
