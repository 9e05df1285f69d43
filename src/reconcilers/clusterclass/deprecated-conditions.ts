import type { Timestamp } from "#base";
import { type Condition, type DeprecatedCondition, type DeprecatedTwin, setDeprecatedTwin } from "#conditions";

/** What the conditions of a ClusterClass were called in v1beta1. */
const twins: ReadonlyMap<string, DeprecatedTwin> = new Map([
  [
    "RefVersionsUpToDate",
    {
      type: "RefVersionsUpToDate",
      severity: "Warning",
      reasons: { RefVersionsNotUpToDate: "OutdatedRefVersions" },
    },
  ],
  ["VariablesReady", { type: "VariablesReconciled", severity: "Error" }],
]);

/** The conditions as readers of v1beta1 expect them, after those of this pass were decided. */
export function deprecatedConditions(
  before: readonly DeprecatedCondition[],
  decided: readonly Condition[],
  now: Timestamp,
): readonly DeprecatedCondition[] {
  return decided.reduce((conditions, condition) => {
    const twin = twins.get(condition.type);
    return twin === undefined ? conditions : setDeprecatedTwin(conditions, condition, { twin, now });
  }, before);
}
