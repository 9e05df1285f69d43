import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findRealKube, whereRealKubeIs } from "../real-kube.ts";
import { root } from "../root.ts";
import { runCommand } from "./command.ts";
import type { StepResult } from "./step.ts";
import { countTests } from "./test-results.ts";

const report = join(root, "build/real-test-report.json");

/** Runs the suites on a real kube-apiserver where one is given or can be built; a server that does not start is a failure. */
export async function runOnRealServer(): Promise<StepResult> {
  const why = whyNot();
  if (why !== undefined) {
    const note = `NOT RUN against a real kube-apiserver: ${why}`;
    return { passed: 0, failed: 0, output: "", note, notRun: true };
  }
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runCommand("npm", ["run", "test:real", "--", ...reporters]);
  if (!existsSync(report)) return { passed: 0, failed: 1, output };
  const result = countTests(readFileSync(report, "utf8"), output);
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}

function whyNot(): string | undefined {
  const { CAPSTAN_TEST_KUBECONFIG: given = "", PATH: path = "" } = process.env;
  if (given !== "") return undefined;
  if (!path.split(delimiter).some((folder) => existsSync(join(folder, "go")))) return "there is no go in the PATH";
  return findRealKube() === undefined ? whereRealKubeIs : undefined;
}
