import { type ConditionTable, documentTable } from "#conditions";

/** A page for each condition table, by file name, and one that lists them; `hasDump` knows which dumps there are. */
export function conditionPages(
  tables: readonly ConditionTable<never>[],
  hasDump: (path: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const sorted = tables.toSorted((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1));
  const lines = sorted.map((table) => `| [${table.of} ${table.type}](${pageOf(table)}) | ${table.summary} |`);
  const list = ["# Conditions", "", "| Condition | What it says |", "|---|---|", ...lines, ""].join("\n");
  const pages = sorted.map(
    (table) => [pageOf(table), `${documentTable(table).trimEnd()}\n${dumpsOf(table, hasDump)}`] as const,
  );
  return new Map([["README.md", list], ...pages]);
}

/** Dumps in which the rows fire, for `capstan explain -f`. */
function dumpsOf({ type, rows }: ConditionTable<never>, hasDump: (path: string) => boolean): string {
  const folder = `examples/explain/${type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}`;
  const links = rows
    .map(({ id }) => ({ id, path: `${folder}/${id}.yaml` }))
    .filter(({ path }) => hasDump(path))
    .map(({ id, path }) => `[${id}](../../${path})`);
  return links.length === 0
    ? ""
    : `\nDumps in which each row fires, for \`capstan explain -f\`: ${links.join(", ")}.\n`;
}

function pageOf({ of, type }: ConditionTable<never>): string {
  return `${of}.${type}.md`;
}
