import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { root } from "../root.ts";
import { describeRows, reportRows } from "./row-report.ts";

// Read by tools/rows.ts.
const rowReportFile = join(root, "build/row-report.json");

/** Prints the row report at the end of a run of the tests. Vitest loads it by path, hence the default export. */
export default class RowReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const metas = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.meta()));
    const report = reportRows(metas);
    mkdirSync(dirname(rowReportFile), { recursive: true });
    writeFileSync(rowReportFile, JSON.stringify(report));
    for (const line of describeRows(report)) console.log(` ${line}`);
  }
}
