import { type ConditionTable, explain, type Explanation, type ReasonSpelling } from "#conditions";
import { readClassFacts, RefVersionsUpToDate, VariablesReady } from "#reconcilers/clusterclass";
import { NodeHealthy, NodeReady, readNodeFacts } from "#reconcilers/machine";

/** A table that can be asked about facts from a file. */
export interface ExplainedTable {
  readonly table: ConditionTable<never>;
  readonly explain: (facts: unknown, spelling: ReasonSpelling) => Explanation;
}

/** Every condition that the program judges, with the reader of its facts. */
export const explainedTables: readonly ExplainedTable[] = [
  explained(NodeReady, readNodeFacts),
  explained(NodeHealthy, readNodeFacts),
  explained(VariablesReady, readClassFacts),
  explained(RefVersionsUpToDate, readClassFacts),
];

/** Every condition that the program judges. */
export const allTables: readonly ConditionTable<never>[] = explainedTables.map(({ table }) => table);

function explained<Facts, Reason extends string, Id extends string>(
  table: ConditionTable<Facts, Reason, Id>,
  readFacts: (value: unknown) => Facts,
): ExplainedTable {
  return { table, explain: (facts, spelling) => explain(table, readFacts(facts), spelling) };
}
