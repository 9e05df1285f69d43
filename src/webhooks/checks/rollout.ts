import type { RolloutStrategy } from "#api";
import { type FieldError, type FieldPath, intOrPercentProblem, invalid } from "#machinery";

/** A number, or a percentage. */
export function intOrPercentErrors(value: number | string | undefined, at: FieldPath): readonly FieldError[] {
  if (value === undefined) return [];
  const problem = intOrPercentProblem(value);
  if (problem === undefined) return [];
  return [invalid(at, String(value), `must be either an int or a percentage: ${problem}`)];
}

/** Machines can be replaced: either one more or one fewer has to be allowed. */
export function rolloutErrors(strategy: RolloutStrategy | undefined, at: FieldPath): readonly FieldError[] {
  const { maxUnavailable, maxSurge } = strategy?.rollingUpdate ?? {};
  const path = at.child("rollingUpdate");
  const standsStill = maxUnavailable === 0 && maxSurge === 0;
  return [
    ...intOrPercentErrors(maxUnavailable, path.child("maxUnavailable")),
    ...intOrPercentErrors(maxSurge, path.child("maxSurge")),
    ...(standsStill ? [invalid(path, "0", "maxUnavailable and maxSurge cannot both be 0")] : []),
  ];
}
