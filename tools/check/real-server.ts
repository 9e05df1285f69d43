import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findRealKube, whereRealKubeIs } from "../real-kube.ts";
import { notRunFile } from "../behaviour/not-run-reporter.ts";
import { root } from "../root.ts";
import { passOrFail, runCommand } from "./command.ts";
import type { StepResult } from "./step.ts";
import { countTests } from "./test-results.ts";

const report = join(root, "build/real-test-report.json");
const notRunReporter = join(root, "tools/behaviour/not-run-reporter.ts");

/** Compiles the real kube-apiserver, and the kubectl that comes with it, before the tests look for them. */
export async function buildRealServer(): Promise<StepResult> {
  const why = whyNot();
  const program = findRealKube();
  if (why !== undefined || program === undefined) {
    return { passed: 0, failed: 0, output: "", note: `NOT BUILT: ${why ?? whereRealKubeIs}`, notRun: true };
  }
  return await passOrFail(program, "build");
}

/** Runs the suites on a real kube-apiserver where one is given or can be built; a server that does not start is a failure. */
export async function runOnRealServer(): Promise<StepResult> {
  const why = whyNot();
  if (why !== undefined) {
    const note = `NOT RUN against a real kube-apiserver: ${why}`;
    return { passed: 0, failed: 0, output: "", note, notRun: true };
  }
  for (const file of [report, notRunFile]) rmSync(file, { force: true });
  const reporters = ["default", "json", notRunReporter].map((reporter) => `--reporter=${reporter}`);
  const { code, output } = await runCommand("npm", [
    "run",
    "test:real",
    "--",
    ...reporters,
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) return { passed: 0, failed: 1, output };
  const result = { ...countTests(readFileSync(report, "utf8"), output), remarks: leftOut() };
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}

/** What was left out, and why. */
function leftOut(): readonly string[] {
  if (!existsSync(notRunFile)) return [];
  return readFileSync(notRunFile, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function whyNot(): string | undefined {
  const { CAPSTAN_TEST_KUBECONFIG: given = "", PATH: path = "" } = process.env;
  if (given !== "") return undefined;
  if (!path.split(delimiter).some((folder) => existsSync(join(folder, "go")))) return "there is no go in the PATH";
  return findRealKube() === undefined ? whereRealKubeIs : undefined;
}
