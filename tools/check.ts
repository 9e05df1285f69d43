import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { passOrFail, runCommand } from "./check/command.ts";
import { buildRealServer, runOnRealServer } from "./check/real-server.ts";
import { runSteps, type Step, type StepResult } from "./check/step.ts";
import { countTests } from "./check/test-results.ts";
import { root } from "./root.ts";

const testReport = join(root, "build/test-report.json");
const rowReport = join(root, "build/row-report.json");
const rowReporter = join(root, "tools/rows/row-reporter.ts");

// It takes minutes, so that only CI asks for it.
const isReal = process.argv.includes("--real");

const steps: readonly Step[] = [
  { name: "format", run: () => passOrFail("oxfmt", "--check", ".") },
  { name: "lint", run: () => passOrFail("oxlint", "--type-aware", "--deny-warnings") },
  { name: "compile", run: () => passOrFail("tsc", "-b", "--pretty", "false") },
  { name: "unused", run: () => passOrFail("knip", "--no-progress") },
  { name: "docs", run: () => passOrFail(process.execPath, "build/tools/docs.js", "--check") },
  { name: "crds", run: () => passOrFail(process.execPath, "build/tools/crds.js", "--check") },
  ...(isReal ? [{ name: "kube", run: buildRealServer }] : []),
  { name: "tests", run: runTests },
  { name: "rows", run: () => passOrFail(process.execPath, "build/tools/rows.js") },
  ...(isReal ? [{ name: "real", run: runOnRealServer }] : []),
];

const failed = await runSteps(steps, {
  print: (text) => process.stdout.write(text),
  elapsed: () => performance.now(),
});
process.exitCode = failed === 0 ? 0 : 1;

/** The README's test command, with a report to count from. */
async function runTests(): Promise<StepResult> {
  for (const report of [testReport, rowReport]) rmSync(report, { force: true });
  const reporters = ["default", "json", rowReporter].map((reporter) => `--reporter=${reporter}`);
  const { output } = await runCommand("npm", ["test", "--", ...reporters, `--outputFile.json=${testReport}`]);
  if (!existsSync(testReport)) return { passed: 0, failed: 1, output };
  return countTests(readFileSync(testReport, "utf8"), output);
}
