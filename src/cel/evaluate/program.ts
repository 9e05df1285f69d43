import type { Expression } from "../syntax/ast.ts";
import type { Result } from "../values/value.ts";
import { CostLimitExceeded, withSteps } from "../values/work.ts";
import { type Bindings, Frame, stepOf } from "./frame.ts";
import { Planner } from "./planner.ts";
import { PlanProblem, type PlanScope } from "./plan-scope.ts";

/** How an evaluation ended and what it cost. */
export type Outcome =
  | { readonly kind: "evaluated"; readonly result: Result; readonly cost: number }
  | { readonly kind: "cancelled"; readonly reason: string; readonly cost: number };

/** An expression ready to run, as often as wanted. */
export interface Program {
  evaluate(bindings: Bindings, options?: { readonly costLimit?: number }): Outcome;
}

const tooLong = "operation cancelled: actual cost limit exceeded";

/** Plans an expression, or says which constant part of it fails. */
export function planProgram(expression: Expression, scope: PlanScope): Program | { readonly problem: string } {
  try {
    const run = stepOf(new Planner(scope).plan(expression));
    return {
      evaluate: (bindings, { costLimit = Number.POSITIVE_INFINITY } = {}) => {
        const frame = new Frame(bindings, costLimit);
        try {
          return { kind: "evaluated", result: withSteps(() => run(frame)), cost: frame.cost };
        } catch (error) {
          // A text longer than the platform allows comes as a range error.
          if (error instanceof RangeError) return { kind: "cancelled", reason: tooLong, cost: frame.cost };
          if (!(error instanceof CostLimitExceeded)) throw error;
          return { kind: "cancelled", reason: error.message, cost: frame.cost };
        }
      },
    };
  } catch (error) {
    if (!(error instanceof PlanProblem)) throw error;
    return { problem: error.message };
  }
}
