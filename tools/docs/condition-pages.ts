import { type ConditionTable, documentTable, nameOf } from "#conditions";
import type { RowTests, TestName } from "../rows/row-tests.ts";

/** What pages say beside the tables themselves. */
export interface PageSources {
  /** Which tests make which rows fire. */
  readonly tests: RowTests;
  /** Knows which dumps there are, by path from the root. */
  readonly hasDump: (path: string) => boolean;
}

/** A page for each condition table, by file name, and one that lists them. */
export function conditionPages(
  tables: readonly ConditionTable<never>[],
  sources: PageSources,
): ReadonlyMap<string, string> {
  const sorted = tables.toSorted((a, b) => (pageOf(a) < pageOf(b) ? -1 : 1));
  const lines = sorted.map((table) => `| [${table.of} ${table.type}](${pageOf(table)}) | ${table.summary} |`);
  const list = ["# Conditions", "", "| Condition | What it says |", "|---|---|", ...lines, ""].join("\n");
  const pages = sorted.map(
    (table) => [pageOf(table), `${documentTable(table).trimEnd()}\n${whereRowsFire(table, sources)}`] as const,
  );
  return new Map([["README.md", list], ...pages]);
}

/** Where each row can be seen to fire: its case in the test of the table, a scenario, and a dump for `explain`. */
function whereRowsFire(table: ConditionTable<never>, { tests, hasDump }: PageSources): string {
  const dumps = dumpsOf(table).filter(({ path }) => hasDump(path));
  const lines = table.rows.map(({ id }) => {
    const { table: own, scenario } = tests[`${nameOf(table)}/${id}`] ?? {};
    const dump = dumps.find((one) => one.id === id);
    const cells = [
      `\`${id}\``,
      own === undefined ? "no case noted yet" : link(own),
      scenario === undefined ? "no scenario yet" : link(scenario),
      ...(dumps.length === 0 ? [] : [dump === undefined ? "" : `[${id}.yaml](../../${dump.path})`]),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const heads = ["Row", "Its case in the table test", "A scenario in which it fires"];
  const all = dumps.length === 0 ? heads : [...heads, "A dump for `capstan explain -f`"];
  return [
    "",
    "## Where each row fires",
    "",
    "Noted by the tests themselves; the check fails when a test here does not make its row fire.",
    "",
    `| ${all.join(" | ")} |`,
    `|${"---|".repeat(all.length)}`,
    ...lines,
    "",
  ].join("\n");
}

function dumpsOf({ type, rows }: ConditionTable<never>): readonly { readonly id: string; readonly path: string }[] {
  const folder = `examples/explain/${type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}`;
  return rows.map(({ id }) => ({ id, path: `${folder}/${id}.yaml` }));
}

/** A test by its name, which leads to its file; lines move with every change. */
function link({ file, test }: TestName): string {
  return `[${test.replaceAll(/([|[\]\\])/g, String.raw`\$1`)}](../../${file})`;
}

function pageOf({ of, type }: ConditionTable<never>): string {
  return `${of}.${type}.md`;
}
