import { CapstanError } from "#base";
import type { StepResult } from "./step.ts";

/** A report of the test runner that cannot be read. */
export class InvalidTestReportError extends CapstanError {
  readonly code = "INVALID_TEST_REPORT";
}

interface TestReport {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { status: string }[];
  }[];
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
  return { passed, failed, output, note };
}

/** A file that could not even be loaded has no failed test to count. */
function isBroken({ status, assertionResults }: TestReport["testResults"][number]): boolean {
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
