import { CapstanError } from "#base";
import type { StepResult } from "./step.ts";

/** A report of the test runner that cannot be read. */
export class InvalidTestReportError extends CapstanError {
  readonly code = "INVALID_TEST_REPORT";
}

const linesOfAFailure = 12;

interface TestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  /** Why a file could not be loaded. */
  readonly message?: string;
  readonly assertionResults: readonly TestResult[];
}

interface TestResult {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

/** Counts the tests in the runner's own JSON report. */
export function countTests(json: string, output: string): StepResult {
  const report: unknown = JSON.parse(json);
  if (!isTestReport(report)) throw new InvalidTestReportError("the test runner wrote a report of another form");
  const { numPassedTests: passed, numFailedTests, numTotalTests, success, testResults } = report;
  const brokenFiles = testResults.filter(isBroken).length;
  const skipped = numTotalTests - passed - numFailedTests;
  // A run can fail without a failed test, for example by an error that nobody caught.
  const failed = numFailedTests + brokenFiles || (success ? 0 : 1);
  const note = `${numTotalTests} tests in ${testResults.length} files${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  return { passed, failed, output: `${whatFailed(testResults)}${withoutPassed(output)}`, note };
}

/** The failures alone, before all else that the runner printed: who reads only the beginning has what counts. */
function whatFailed(files: readonly TestFile[]): string {
  const lines = files.flatMap((file) => [
    ...(isBroken(file) ? [`${file.name}: ${file.message ?? "could not be loaded"}\n`] : []),
    ...file.assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${file.name}: ${fullName}\n${shortened(failureMessages)}\n`),
  ]);
  return lines.join("");
}

function shortened(messages: TestResult["failureMessages"]): string {
  return (messages ?? []).join("\n").split("\n").slice(0, linesOfAFailure).join("\n");
}

function withoutPassed(output: string): string {
  return output
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("✓"))
    .join("\n");
}

/** A file that could not even be loaded has no failed test to count. */
function isBroken({ status, assertionResults }: TestFile): boolean {
  return status === "failed" && !assertionResults.some((result) => result.status === "failed");
}

function isTestReport(value: unknown): value is TestReport {
  return (
    typeof value === "object" &&
    value !== null &&
    "numPassedTests" in value &&
    "numFailedTests" in value &&
    "numTotalTests" in value &&
    "success" in value &&
    "testResults" in value &&
    Array.isArray(value.testResults)
  );
}
