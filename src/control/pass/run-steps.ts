import { awaitChange, describeError, isPassing, type Next, toError } from "#base";
import { isConflict, type KubeObject } from "#machinery";
import type { ActivePass } from "./active-pass.ts";
import { noFacts, type Step, type StepResult, stop } from "./step.ts";

/** What the steps of a pass left behind. */
export interface StepsResult {
  readonly wishes: readonly Next[];
  readonly errors: readonly Error[];
  /** True where every step ran and none asked for anything. */
  readonly finished: boolean;
  /** Why nothing may be said about the object. */
  readonly abandoned?: Error;
}

/**
 * Runs steps in order, each looking before it acts. On the way in they are independent, so that one that fails does not
 * keep the others; on the way out each rests on the one before, unless that is independent.
 */
export async function runSteps<Obj extends KubeObject, Facts extends object, Ports>(
  pass: ActivePass<Obj, Facts, Ports>,
  steps: readonly Step<Obj, Facts, Ports>[],
  { leaving }: { readonly leaving: boolean },
): Promise<StepsResult> {
  const wishes: Next[] = [];
  const errors: Error[] = [];
  let finished = true;
  for (const step of steps) {
    pass.signal.throwIfAborted();
    try {
      const wish = await runStep(step, pass);
      if (wish === undefined) continue;
      finished = false;
      if (wish === stop) break;
      if (wish.kind === "abandon") return { wishes, errors, finished, abandoned: wish.error };
      wishes.push(wish);
      if (leaving && wish.kind !== awaitChange.kind && step.independent !== true) break;
    } catch (error) {
      pass.signal.throwIfAborted();
      if (isConflict(error) || isPassing(error))
        pass.log.info("step put off", { step: step.name, why: describeError(error) });
      else pass.log.error("step failed", error, { step: step.name });
      errors.push(toError(error));
      finished = false;
      if (leaving && step.independent !== true) break;
    }
  }
  return { wishes, errors, finished };
}

async function runStep<Obj extends KubeObject, Facts extends object, Ports>(
  step: Step<Obj, Facts, Ports>,
  pass: ActivePass<Obj, Facts, Ports>,
): Promise<Exclude<StepResult, void> | undefined> {
  if (step.observe !== undefined) {
    const { object, reader, facts, ports, clock, signal } = pass;
    pass.observed(await step.observe({ object, reader, facts, ports, known: noFacts<Facts>(), clock, signal }));
  }
  return (await step.run?.(pass)) ?? undefined;
}
