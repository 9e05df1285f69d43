import { CapstanError } from "#base";
import type { Firing, RowReport } from "./row-report.ts";

/** A test by its file and its whole name. */
export interface TestName {
  readonly file: string;
  readonly test: string;
}

/** Where a row can be seen to fire: in the test of its table, and in a scenario with real parts. */
export interface TestsOfRow {
  readonly table?: TestName;
  readonly scenario?: TestName;
}

/** The tests of every row, by table and row: `Machine.NodeReady/ready`. */
export type RowTests = Readonly<Record<string, TestsOfRow>>;

/** What does not say which tests show which rows. */
export class InvalidRowTestsError extends CapstanError {
  readonly code = "INVALID_ROW_TESTS";
}

const ways = ["table", "scenario"] as const;

/** Which tests show which rows after a run. What was noted before stays where it still holds or was not run. */
export function updateRowTests(noted: RowTests, report: RowReport, rows: readonly string[]): RowTests {
  return Object.fromEntries(rows.map((row) => [row, testsOf(row, noted[row] ?? {}, report)]));
}

/** What is noted and is not so, after a run of all tests; one sentence each. */
export function wrongRowTests(noted: RowTests, report: RowReport, rows: readonly string[]): readonly string[] {
  const gone = Object.keys(noted).filter((row) => !rows.includes(row));
  return [
    ...gone.map((row) => `there is no row ${row} any more`),
    ...rows.flatMap((row) => wrongTestsOf(row, noted[row] ?? {}, report)),
  ];
}

/** Reads what was noted. */
export function readRowTests(text: string): RowTests {
  const noted: unknown = JSON.parse(text);
  if (!isRowTests(noted)) throw new InvalidRowTestsError("the file that says which tests show which rows is broken");
  return noted;
}

function testsOf(row: string, noted: TestsOfRow, report: RowReport): TestsOfRow {
  const found = ways.flatMap((by) => {
    const test = noted[by];
    const stays = test !== undefined && (!report.files.includes(test.file) || fires(test, row, report));
    const shown = stays ? test : best(report.firings.filter((firing) => firing.row === row && firing.by === by));
    return shown === undefined ? [] : [[by, { file: shown.file, test: shown.test }]];
  });
  return Object.fromEntries(found);
}

function wrongTestsOf(row: string, noted: TestsOfRow, report: RowReport): readonly string[] {
  if (noted.table === undefined) return [`no test is noted for the row ${row}`];
  return ways
    .flatMap((by) => noted[by] ?? [])
    .filter((test) => !fires(test, row, report))
    .map(({ file, test }) => `${file}: "${test}" is noted for the row ${row} and does not make it fire`);
}

function fires({ file, test }: TestName, row: string, { firings }: RowReport): boolean {
  return firings.some((firing) => firing.row === row && firing.file === file && firing.test === test);
}

/** The test that is most about the row. */
function best(firings: readonly Firing[]): Firing | undefined {
  return firings.toSorted(
    (a, b) =>
      Number(b.isNamed) - Number(a.isNamed) ||
      Number(isOfCondition(b)) - Number(isOfCondition(a)) ||
      a.among - b.among ||
      (`${a.file} ${a.test}` < `${b.file} ${b.test}` ? -1 : 1),
  )[0];
}

/** Whether the file is called after the condition, such as `node-ready.test.ts`. */
function isOfCondition({ row, file }: Firing): boolean {
  const [, type = ""] = /\.(\w+)\//.exec(row) ?? [];
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  return file.endsWith(`/${words}.test.ts`);
}

function isRowTests(value: unknown): value is RowTests {
  return typeof value === "object" && value !== null && Object.values(value).every(isTestsOfRow);
}

function isTestsOfRow(value: unknown): value is TestsOfRow {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(([by, test]) => ways.some((way) => way === by) && isTestName(test));
}

function isTestName(value: unknown): value is TestName {
  return (
    typeof value === "object" &&
    value !== null &&
    "file" in value &&
    typeof value.file === "string" &&
    "test" in value &&
    typeof value.test === "string"
  );
}
