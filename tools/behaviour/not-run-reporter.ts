import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, TestCase } from "vitest/node";
import { root } from "../root.ts";

/** Where it is written down what was left out. */
export const notRunFile = join(root, "build/not-run-on-real-server.txt");

/** Names every test that was left out on the real server, with the reason, in the last lines of the run. */
export default class NotRunReporter implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state !== "skipped") return;
    const file = relative(root, test.module.moduleId);
    this.#lines.push(`NOT RUN on the real server: ${file}: ${test.fullName}: ${result.note ?? "no reason is given"}`);
  }

  onTestRunEnd(): void {
    const text = this.#lines.map((line) => `${line}\n`).join("");
    writeFileSync(notRunFile, text);
    process.stdout.write(text);
  }
}
