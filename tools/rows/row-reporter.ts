import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";
import { root } from "../root.ts";
import { rowReportFile } from "./row-files.ts";
import { describeRows, type RanTest, reportRows } from "./row-report.ts";

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
    const report = reportRows(modules.flatMap(testsIn));
    const file = join(root, rowReportFile);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
    for (const line of describeRows(report)) console.log(` ${line}`);
    if (!this.#runsAll || report.untested.length === 0) return;
    console.error(` every row needs a test case; ${rowReportFile} names all that have none`);
    process.exitCode = 1;
  }
}

/** The tests of a file that passed, with their sources where rows fired in them. */
function testsIn(module: TestModule): readonly RanTest[] {
  const tests = [...module.children.allTests("passed")];
  const firing = tests.some((test) => "firedRows" in test.meta());
  const lines = firing ? readFileSync(module.moduleId, "utf8").split("\n") : [];
  const starts = tests.map(startOf).toSorted((a, b) => a - b);
  return tests.map((test) => {
    const start = startOf(test);
    const end = starts.find((other) => other > start);
    const source = lines.slice(start - 1, end === undefined ? undefined : end - 1).join("\n");
    return { file: relative(root, module.moduleId), name: test.fullName, source, meta: test.meta() };
  });
}

function startOf({ location }: TestCase): number {
  return location?.line ?? 1;
}
