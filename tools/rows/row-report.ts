import { type FiredRow, rowsIn } from "#testkit";

/** A test of a run, as far as the report looks at it. */
export interface RanTest {
  /** From the root of the checkout. */
  readonly file: string;
  /** With the names of what it stands in. */
  readonly name: string;
  /** Its source, where that is at hand. */
  readonly source?: string;
  readonly meta: object;
}

/** A test that made a row fire. */
export interface Firing {
  readonly row: string;
  readonly by: FiredRow["by"];
  readonly file: string;
  readonly test: string;
  /** Whether the row stands in the test by its name, so that it does not fire by chance. */
  readonly isNamed: boolean;
  /** How many rows the test makes fire in all: the fewer, the more it is about this one. */
  readonly among: number;
}

/** Which rows of the condition tables the tests of a run made fire. */
export interface RowReport {
  readonly rows: number;
  /** Rows that no table test made fire. */
  readonly untested: readonly string[];
  /** Rows that no scenario has reached. */
  readonly unreached: readonly string[];
  /** Files with tests that were run. */
  readonly files: readonly string[];
  readonly firings: readonly Firing[];
}

const mostRowsNamed = 3;

/** Puts together what the tests of a run noted about rows. */
export function reportRows(tests: readonly RanTest[]): RowReport {
  const firings = tests.flatMap(firingsOf);
  const declared = new Set(tests.flatMap(({ meta }) => rowsIn(meta).declaredRows).map(nameOf));
  const missing = (by: FiredRow["by"]) => {
    const names = new Set(firings.filter((firing) => firing.by === by).map(({ row }) => row));
    return [...declared].toSorted().filter((name) => !names.has(name));
  };
  return {
    rows: declared.size,
    untested: missing("table"),
    unreached: missing("scenario"),
    files: [...new Set(tests.map(({ file }) => file))].toSorted(),
    firings,
  };
}

/** The report in words; nothing where no table was declared. */
export function describeRows({
  rows,
  untested,
  unreached,
}: Pick<RowReport, "rows" | "untested" | "unreached">): readonly string[] {
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
    Array.isArray(value.unreached) &&
    "files" in value &&
    Array.isArray(value.files) &&
    "firings" in value &&
    Array.isArray(value.firings)
  );
}

function firingsOf({ file, name: test, source = "", meta }: RanTest): readonly Firing[] {
  const { firedRows } = rowsIn(meta);
  return firedRows.map(({ by, table, row }) => ({
    row: nameOf({ table, row }),
    by,
    file,
    test,
    isNamed: source.includes(`"${row}"`),
    among: firedRows.length,
  }));
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
