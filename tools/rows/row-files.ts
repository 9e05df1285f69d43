import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";
import { readRowTests, type RowTests } from "./row-tests.ts";

/** What the last run of the tests left behind about rows, from the root. */
export const rowReportFile = "build/row-report.json";

/** Which tests show which rows, as it is committed. */
export const rowTestsFile = "test/row-tests.json";

/** What is committed. */
export function notedRowTests(): RowTests {
  const file = join(root, rowTestsFile);
  return existsSync(file) ? readRowTests(readFileSync(file, "utf8")) : {};
}
