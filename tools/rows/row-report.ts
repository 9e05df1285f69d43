import { type FiredRow, rowsIn } from "#testkit";

/** Which rows of the condition tables the tests of a run made fire. */
export interface RowReport {
  readonly rows: number;
  /** Rows that no table test made fire. */
  readonly untested: readonly string[];
  /** Rows that no scenario has reached. */
  readonly unreached: readonly string[];
}

const mostRowsNamed = 3;

/** Puts together what the tests of a run noted about rows. */
export function reportRows(metas: readonly object[]): RowReport {
  const notes = metas.map(rowsIn);
  const fired = notes.flatMap(({ firedRows }) => firedRows);
  const declared = [...new Set(notes.flatMap(({ declaredRows }) => declaredRows).map(nameOf))].toSorted();
  const missing = (by: FiredRow["by"]) => {
    const names = new Set(fired.filter((row) => row.by === by).map(nameOf));
    return declared.filter((name) => !names.has(name));
  };
  return { rows: declared.length, untested: missing("table"), unreached: missing("scenario") };
}

/** The report in words; nothing where no table was declared. */
export function describeRows({ rows, untested, unreached }: RowReport): readonly string[] {
  if (rows === 0) return [];
  return [
    `rows: ${rows - untested.length} of ${rows} fired in table tests, ${rows - unreached.length} in scenarios`,
    ...(untested.length === 0 ? [] : ["without a test case:", ...byTable(untested)]),
    ...(unreached.length === 0 ? [] : ["reached by no scenario:", ...byTable(unreached)]),
  ];
}

/** True for what a run of the tests left behind as its row report. */
export function isRowReport(value: unknown): value is RowReport {
  return (
    typeof value === "object" &&
    value !== null &&
    "rows" in value &&
    "untested" in value &&
    Array.isArray(value.untested) &&
    "unreached" in value &&
    Array.isArray(value.unreached)
  );
}

/** A line for each table, which names a few of its rows and counts the others. */
function byTable(names: readonly string[]): readonly string[] {
  const tables = new Map<string, string[]>();
  for (const name of names) {
    const [table = "", row = ""] = name.split("/");
    tables.set(table, [...(tables.get(table) ?? []), row]);
  }
  return [...tables].map(([table, rows]) => {
    const more = rows.length - mostRowsNamed;
    return `  ${table}: ${rows.slice(0, mostRowsNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  });
}

function nameOf({ table, row }: Omit<FiredRow, "by">): string {
  return `${table}/${row}`;
}
