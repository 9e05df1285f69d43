import type { Condition, ConditionChange } from "#conditions";
import { pausedType } from "./paused.ts";
import type { StatusChanges } from "./write-status.ts";

/**
 * True where a status only explains what its object waits for, so that nobody is kept waiting while it is not written:
 * no condition becomes True or ceases to be, and no field changes but those that follow from others. Who has said nothing yet is not
 * asked for any condition.
 */
export function isExplanation(
  { fields, conditions }: StatusChanges,
  { before, bookkeeping }: { readonly before: readonly Condition[]; readonly bookkeeping: readonly string[] },
): boolean {
  if (Object.keys(fields).some((name) => !bookkeeping.includes(name))) return false;
  const isFirst = before.every(({ type }) => type === pausedType);
  return isFirst || !conditions.some(turns);
}

/** Somebody may wait for a condition to become True, and has to hear at once that it no longer is. */
function turns(change: ConditionChange): boolean {
  const before = change.op === "Add" ? undefined : change.before.status;
  const after = change.op === "Remove" ? undefined : change.after.status;
  return before !== after && (before === "True" || after === "True");
}
