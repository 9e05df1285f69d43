import { expect, test } from "vitest";
import { countTests } from "./test-results.ts";

const fine = { success: true, numPassedTests: 3, numFailedTests: 0, numTotalTests: 3, testResults: [] };
const failedFile = {
  name: "a.test.ts",
  status: "failed",
  assertionResults: [
    { status: "passed", fullName: "it swims" },
    { status: "failed", fullName: "it flies", failureMessages: ["Error: it fell\n    at a.test.ts:1"] },
  ],
};
const brokenFile = { name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] };

function count(change: Partial<Record<keyof typeof fine, unknown>>) {
  const { passed, failed, note } = countTests(JSON.stringify({ ...fine, ...change }), "");
  return { passed, failed, note };
}

test("passed, failed and skipped tests are counted", () => {
  expect(count({})).toEqual({ passed: 3, failed: 0, note: "3 tests in 0 files" });
  expect(count({ success: false, numFailedTests: 1, numTotalTests: 6, testResults: [failedFile] })).toEqual({
    passed: 3,
    failed: 1,
    note: "6 tests in 1 files, 2 skipped",
  });
});

test("a file that could not be loaded is a failure", () => {
  expect(count({ success: false, testResults: [brokenFile] })).toMatchObject({ passed: 3, failed: 1 });
});

test("a run that failed without a failed test is a failure", () => {
  expect(count({ success: false })).toMatchObject({ passed: 3, failed: 1 });
});

test("what failed comes before what the runner printed, and what passed is left out", () => {
  const report = JSON.stringify({ ...fine, success: false, testResults: [failedFile, brokenFile] });
  expect(countTests(report, " ✓ c.test.ts (3 tests)\nUnhandled errors\n").output).toBe(
    [
      "a.test.ts: it flies",
      "Error: it fell",
      "    at a.test.ts:1",
      "b.test.ts: no such module",
      "Unhandled errors",
      "",
    ].join("\n"),
  );
});

test("a report of another form is refused", () => {
  expect(() => countTests("{}", "")).toThrow("a report of another form");
});
