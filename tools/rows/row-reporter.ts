import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";
import { root } from "../root.ts";
import { describeRows, reportRows } from "./row-report.ts";

// Read by tools/rows.ts.
const rowReportFile = join(root, "build/row-report.json");

/**
 * Prints the row report at the end of a run of the tests, and fails a run of all tests in which some row never fired.
 * Vitest loads it by path, hence the default export.
 */
export default class RowReporter implements Reporter {
  #vitest: Vitest | undefined;
  #runsAll = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(chosen: readonly TestSpecification[]): Promise<void> {
    const all = await this.#vitest?.globTestSpecifications();
    this.#runsAll = chosen.length === all?.length && this.#vitest?.config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const metas = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.meta()));
    const report = reportRows(metas);
    mkdirSync(dirname(rowReportFile), { recursive: true });
    writeFileSync(rowReportFile, `${JSON.stringify(report, undefined, 2)}\n`);
    for (const line of describeRows(report)) console.log(` ${line}`);
    if (!this.#runsAll || report.untested.length === 0) return;
    console.error(` every row needs a test case; ${relative(root, rowReportFile)} names all that have none`);
    process.exitCode = 1;
  }
}
