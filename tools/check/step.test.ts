import { expect, test } from "vitest";
import { runSteps, type StepResult } from "./step.ts";

function step(name: string, result: Partial<StepResult> & { readonly crash?: Error }) {
  return {
    name,
    run: async () => {
      if (result.crash !== undefined) throw result.crash;
      return { passed: 0, failed: 0, output: "", ...result };
    },
  };
}

test("every step runs and has its line, and the totals stand alone at the end", async () => {
  let printed = "";
  let time = 0;
  const failed = await runSteps(
    [
      step("format", { failed: 1, output: "a.ts\nb.ts\n" }),
      step("compile", { passed: 1, output: "not shown", remarks: ["one file was left out: it is old"] }),
      step("tests", { passed: 40, failed: 2, output: "two failed", note: "42 tests" }),
      step("real", { notRun: true, note: "NOT RUN: there is no go" }),
    ],
    { print: (text) => (printed += text), elapsed: () => (time += 750) },
  );
  expect(failed).toBe(3);
  expect(printed).toBe(
    [
      "FAILED format        0.8s",
      "       a.ts",
      "       b.ts",
      "ok     compile       0.8s",
      "       one file was left out: it is old",
      "FAILED tests         0.8s  42 tests",
      "       two failed",
      "--     real          0.8s  NOT RUN: there is no go",
      "41 passed, 3 failed",
      "",
    ].join("\n"),
  );
});

test("a step that crashes has failed", async () => {
  let printed = "";
  const failed = await runSteps([step("docs", { crash: new Error("no such folder") })], {
    print: (text) => (printed += text),
    elapsed: () => 0,
  });
  expect(failed).toBe(1);
  expect(printed).toContain("no such folder");
});
