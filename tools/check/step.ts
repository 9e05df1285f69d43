/** One part of the check, with how much of it passed. A part that is no list of tests counts as one. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** What is worth a look when it failed. */
  readonly output: string;
  /** A few words for the line of the step. */
  readonly note?: string;
  /** What everybody should read although nothing failed, such as what was left out and why. */
  readonly remarks?: readonly string[];
  /** True for a part that this machine could not run; the note says why. */
  readonly notRun?: boolean;
}

export interface StepOptions {
  readonly print: (text: string) => void;
  /** Milliseconds since some fixed moment. */
  readonly elapsed: () => number;
}

/** Runs all steps, also after one that failed, and prints a line for each and the totals at the very end. */
export async function runSteps(steps: readonly Step[], options: StepOptions): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const step of steps) {
    const result = await runStep(step, options);
    passed += result.passed;
    failed += result.failed;
  }
  options.print(`${passed} passed, ${failed} failed\n`);
  return failed;
}

async function runStep({ name, run }: Step, { print, elapsed }: StepOptions): Promise<StepResult> {
  const start = elapsed();
  const result = await run().catch(crashed);
  const verdict = result.notRun === true ? "--" : result.failed === 0 ? "ok" : "FAILED";
  const time = `${((elapsed() - start) / 1000).toFixed(1)}s`;
  print(`${`${verdict.padEnd(6)} ${name.padEnd(10)} ${time.padStart(7)}  ${result.note ?? ""}`.trimEnd()}\n`);
  for (const remark of result.remarks ?? []) print(`       ${remark}\n`);
  if (result.failed > 0) print(`${indented(result.output)}\n`);
  return result;
}

function crashed(error: unknown): StepResult {
  return { passed: 0, failed: 1, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function indented(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `       ${line}`.trimEnd())
    .join("\n");
}
