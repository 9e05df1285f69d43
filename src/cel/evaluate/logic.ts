import { Failure, type Result } from "../values/value.ts";
import { type Plan, type Step, stepOf } from "./frame.ts";

const noOverload = new Failure("no such overload");

/** `a && b`: false if either is, whatever becomes of the other. */
export function planAnd(left: Step, right: Step): Plan {
  return {
    kind: "step",
    run: (frame) => {
      const first = left(frame);
      if (first === false) return false;
      const second = right(frame);
      if (second === false) return false;
      return first === true && second === true ? true : unsettled(first, second);
    },
  };
}

/** `a || b`: true if either is, whatever becomes of the other. */
export function planOr(left: Step, right: Step): Plan {
  return {
    kind: "step",
    run: (frame) => {
      const first = left(frame);
      if (first === true) return true;
      const second = right(frame);
      if (second === true) return true;
      return first === false && second === false ? false : unsettled(first, second);
    },
  };
}

/** The first failure decides; without one, a value that is no truth value is to blame. */
function unsettled(first: Result, second: Result): Failure {
  if (first instanceof Failure) return first;
  return second instanceof Failure ? second : noOverload;
}

/** `a ? b : c`, of which only one branch is evaluated. */
export function planConditional(condition: Step, whenTrue: Plan, whenFalse: Plan): Plan {
  const first = branch(whenTrue);
  const second = branch(whenFalse);
  const run: Step = (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return first(frame);
    if (chosen === false) return second(frame);
    return chosen instanceof Failure ? chosen : noOverload;
  };
  return { kind: "step", run, continued: run };
}

function branch(plan: Plan): Step {
  return plan.kind === "step" && plan.continued !== undefined ? plan.continued : stepOf(plan);
}

/** Keeps a loop going unless its result is settled as false. */
export function planNotStrictlyFalse(operand: Step): Plan {
  return {
    kind: "step",
    run: (frame) => {
      const value = operand(frame);
      frame.charge(1);
      return value !== false;
    },
  };
}
