import type { Result, Value } from "../values/value.ts";
import { CostLimitExceeded } from "../values/work.ts";

/** The variables of one evaluation by name. */
export interface Bindings {
  /** Undefined where nothing is bound to the name. */
  get(name: string): Result | undefined;
}

/** What one evaluation carries along: variables of loops, variables from outside, and what it has cost. */
export class Frame {
  readonly slots: Result[] = [];
  readonly bindings: Bindings;
  cost = 0;
  readonly #limit: number;

  constructor(bindings: Bindings, limit: number) {
    this.bindings = bindings;
    this.#limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw tooExpensive();
  }

  refund(cost: number): void {
    this.cost = Math.max(0, this.cost - cost);
  }

  /** Ends the evaluation before something that would cost too much. */
  ensure(cost: number): void {
    if (this.cost + cost > this.#limit) throw tooExpensive();
  }
}

function tooExpensive(): CostLimitExceeded {
  return new CostLimitExceeded("operation cancelled: actual cost limit exceeded");
}

/** A compiled node: computes its result from a frame. */
export type Step = (frame: Frame) => Result;

/** A node whose value is known before anything runs, or one that has to be computed. */
export type Plan =
  | { readonly kind: "constant"; readonly value: Value }
  | {
      readonly kind: "step";
      readonly run: Step;
      /**
       * Set for names, fields, indexes and conditions: the same without the charge for its start, which is due only
       * once for a whole chain.
       */
      readonly continued?: Step;
      /** True for a name, whose only charge is that for the start. */
      readonly isRoot?: boolean;
    };

/** A plan as something that runs. */
export function stepOf(plan: Plan): Step {
  if (plan.kind === "step") return plan.run;
  const { value } = plan;
  return () => value;
}
