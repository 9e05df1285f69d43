import { CapstanError } from "#base";

/** Ends an evaluation that became too expensive; no operator can absorb it. */
export class CostLimitExceeded extends CapstanError {
  readonly code = "CEL_COST_LIMIT_EXCEEDED";
}

// At some ten nanoseconds a step this is a tenth of a second.
const mostSteps = 5_000_000;

// Small integers throughout: anything else the platform would put on the heap at every step.
let stepsLeft = 0;
let isCounting = false;

/**
 * Counts steps that no cost stands for: rounds of loops, comparisons inside of values, texts that are printed. Every
 * evaluation has so many, and ends where it has used them up. An evaluation is one synchronous run, so that one count is
 * enough for all; reaching every comparison with a count of its own would cost more than the comparing.
 */
export function spendSteps(count: number): void {
  if (!isCounting) return;
  stepsLeft -= Math.ceil(count);
  if (stepsLeft < 0) throw new CostLimitExceeded("operation interrupted");
}

/** Runs an evaluation with steps of its own. */
export function withSteps<T>(run: () => T): T {
  stepsLeft = mostSteps;
  isCounting = true;
  try {
    return run();
  } finally {
    isCounting = false;
  }
}
