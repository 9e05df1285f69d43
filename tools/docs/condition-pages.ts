import { type ConditionTable, documentTable } from "#conditions";

/** A page for each condition table, by file name, and one that lists them. */
export function conditionPages(tables: readonly ConditionTable<never>[]): ReadonlyMap<string, string> {
  const sorted = tables.toSorted((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1));
  const lines = sorted.map((table) => `| [${table.of} ${table.type}](${pageOf(table)}) | ${table.summary} |`);
  const list = ["# Conditions", "", "| Condition | What it says |", "|---|---|", ...lines, ""].join("\n");
  const pages = sorted.map((table) => [pageOf(table), `${documentTable(table).trimEnd()}\n`] as const);
  return new Map([["README.md", list], ...pages]);
}

function pageOf({ of, type }: ConditionTable<never>): string {
  return `${of}.${type}.md`;
}
