/** A row that fired in a test: in one of its table, or in a scenario with real parts. */
export interface FiredRow {
  readonly by: "table" | "scenario";
  readonly table: string;
  readonly row: string;
}

/** A running test, as far as it carries a record to the report at the end of the run. */
interface RecordingTest {
  readonly meta: object;
}

interface RowMeta {
  firedRows?: FiredRow[];
  declaredRows?: Omit<FiredRow, "by">[];
}

/** Notes that a row fired, for the row report. */
export function recordRow(task: RecordingTest, fired: FiredRow): void {
  const meta: RowMeta = task.meta;
  meta.firedRows = [...(meta.firedRows ?? []), fired];
}

/** Notes every row that passes come to, once each, where real reconcilers make them. */
export function recordPasses(
  task: RecordingTest,
): (pass: { readonly verdicts: readonly { readonly table: string; readonly row: string }[] }) => void {
  const fired = new Set<string>();
  return ({ verdicts }) => {
    for (const { table, row } of verdicts) {
      if (fired.has(`${table}/${row}`)) continue;
      fired.add(`${table}/${row}`);
      recordRow(task, { by: "scenario", table, row });
    }
  };
}

/** Notes which rows there are, so that the report can name those that never fired. */
export function recordTables(
  task: RecordingTest,
  tables: readonly { readonly name: string; readonly rows: readonly string[] }[],
): void {
  const meta: RowMeta = task.meta;
  meta.declaredRows = tables.flatMap(({ name, rows }) => rows.map((row) => ({ table: name, row })));
}

/** What the tests of a run noted. */
export function rowsIn(meta: object): Required<Readonly<RowMeta>> {
  const { firedRows = [], declaredRows = [] }: RowMeta = meta;
  return { firedRows, declaredRows };
}
