import type { Condition, ConditionChange } from "#conditions";
import { pausedType } from "./paused.ts";
import type { StatusChanges } from "./write-status.ts";

/**
 * True where a status only explains what its object waits for, so that nobody is kept waiting while it is not written:
 * no condition becomes True, and no field changes but those that follow from others. Who has said nothing yet is not
 * asked for any condition.
 */
export function isExplanation(
  { fields, conditions }: StatusChanges,
  { before, bookkeeping }: { readonly before: readonly Condition[]; readonly bookkeeping: readonly string[] },
): boolean {
  if (Object.keys(fields).some((name) => !bookkeeping.includes(name))) return false;
  const isFirst = before.every(({ type }) => type === pausedType);
  return isFirst || !conditions.some(becomesTrue);
}

function becomesTrue(change: ConditionChange): boolean {
  if (change.op === "Remove") return false;
  const before = change.op === "Change" ? change.before.status : undefined;
  return change.after.status === "True" && before !== "True";
}
