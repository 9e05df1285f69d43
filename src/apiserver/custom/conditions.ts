import type { Timestamp } from "#base";
import type { DefinitionCondition } from "#machinery";

/** Conditions with some of them set; one whose status stays keeps its time. */
export function withConditions(
  conditions: readonly DefinitionCondition[],
  set: readonly DefinitionCondition[],
  now: Timestamp,
): readonly DefinitionCondition[] {
  return set.reduce<readonly DefinitionCondition[]>((list, condition) => {
    const index = list.findIndex(({ type }) => type === condition.type);
    const present = list[index];
    const time = present?.status === condition.status ? present.lastTransitionTime : now;
    const next = { ...condition, ...(time === undefined ? {} : { lastTransitionTime: time }) };
    return present === undefined ? [...list, next] : list.with(index, next);
  }, conditions);
}

/** Said of a definition while its objects are being deleted. */
export const deletionInProgress: DefinitionCondition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
