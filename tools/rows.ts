import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allTables } from "#app";
import { root } from "./root.ts";
import { describeRows, isRowReport } from "./rows/row-report.ts";

const file = join(root, "build/row-report.json");
const report: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;

if (!isRowReport(report)) fail("there is no row report: run the tests first");
else {
  for (const line of describeRows(report)) console.log(line);
  const declared = allTables.reduce((count, table) => count + table.rows.length, 0);
  if (report.rows !== declared) fail(`the tests knew of ${report.rows} rows, the program has ${declared}`);
  if (report.untested.length > 0) fail("every row of every table needs a test case");
}

function fail(why: string): void {
  console.error(why);
  process.exitCode = 1;
}
