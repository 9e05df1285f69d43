import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { allTables } from "#app";
import { describeError } from "#base";
import { nameOf } from "#conditions";
import { root } from "./root.ts";
import { notedRowTests, rowReportFile, rowTestsFile } from "./rows/row-files.ts";
import { describeRows, isRowReport, type RowReport } from "./rows/row-report.ts";
import { updateRowTests, wrongRowTests } from "./rows/row-tests.ts";

const usage = "usage: npm run rows, after npm test; node build/tools/rows.js checks the rows after a run of all tests";
const rows = allTables.flatMap((table) => table.rows.map(({ id }) => `${nameOf(table)}/${id}`));

const mostNamed = 20;

try {
  const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
  const file = join(root, rowReportFile);
  const report: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  if (!isRowReport(report)) fail("there is no row report: run the tests first");
  else if (values.write) write(report);
  else check(report);
} catch (error) {
  fail(`${describeError(error)}\n${usage}`);
}

function write(report: RowReport): void {
  const noted = updateRowTests(notedRowTests(), report, rows);
  writeFileSync(join(root, rowTestsFile), `${JSON.stringify(noted, undefined, 2)}\n`);
  const unseen = rows.filter((row) => noted[row]?.scenario === undefined);
  console.log(`${rows.length} rows, ${unseen.length} without a scenario${unseen.map((row) => `\n  ${row}`).join("")}`);
}

function check(report: RowReport): void {
  for (const line of describeRows(report)) console.log(line);
  if (report.rows !== rows.length) fail(`the tests knew of ${report.rows} rows, the program has ${rows.length}`);
  if (report.untested.length > 0) fail("every row of every table needs a test case");
  const wrong = wrongRowTests(notedRowTests(), report, rows);
  if (wrong.length === 0) return;
  const more = wrong.length > mostNamed ? [`and ${wrong.length - mostNamed} more`] : [];
  fail([...wrong.slice(0, mostNamed), ...more, "`npm run rows` notes the tests anew, after `npm test`"].join("\n"));
}

function fail(why: string): void {
  console.error(why);
  process.exitCode = 1;
}
