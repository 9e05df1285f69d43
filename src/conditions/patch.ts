import type { Timestamp } from "#base";
import { type Condition, findCondition, sameCondition, sameState } from "./condition.ts";
import { ConditionConflictError, ConditionInputError } from "./errors.ts";
import { sortConditions } from "./order.ts";
import { deleteCondition, writeCondition } from "./set.ts";

/** What a writer did to one condition. */
export type ConditionChange =
  | { readonly op: "Add"; readonly after: Condition }
  | { readonly op: "Change"; readonly before: Condition; readonly after: Condition }
  | { readonly op: "Remove"; readonly before: Condition };

/** Whose word stands where two writers differ. */
export interface ApplyOptions {
  readonly now: Timestamp;
  /** Types that only this writer writes: its word stands whatever is there now. */
  readonly ownedConditionTypes?: readonly string[];
  /** Treats every type as owned. */
  readonly forceOverwrite?: boolean;
}

type Conditions = readonly Condition[];

/** What happened between two states of an object's conditions. */
export function conditionChanges(
  before: Conditions | null | undefined,
  after: Conditions | null | undefined,
): readonly ConditionChange[] {
  if (!before || !after) throw new ConditionInputError("cannot compare conditions: an object is missing");
  const written = after.flatMap((condition): ConditionChange[] => {
    const old = findCondition(before, condition.type);
    if (old === undefined) return [{ op: "Add", after: condition }];
    return sameCondition(old, condition) ? [] : [{ op: "Change", before: old, after: condition }];
  });
  const removed = before.filter(({ type }) => findCondition(after, type) === undefined);
  return [...written, ...removed.map((condition): ConditionChange => ({ op: "Remove", before: condition }))];
}

/** Does to the newest state what a writer did to an older one; throws where another writer disagrees. */
export function applyConditionChanges(
  changes: readonly ConditionChange[],
  latest: Conditions | null | undefined,
  options: ApplyOptions,
): Conditions {
  if (changes.length === 0) return latest ?? [];
  if (!latest) throw new ConditionInputError("cannot patch conditions: the object is missing");
  const owned = new Set(options.ownedConditionTypes);
  const changed = changes.reduce<Conditions>((conditions, change) => {
    const { type } = change.op === "Remove" ? change.before : change.after;
    const own = options.forceOverwrite === true || owned.has(type);
    return own ? overwrite(conditions, change, options.now) : negotiate(conditions, change, options.now);
  }, latest);
  return sortConditions(changed);
}

function overwrite(conditions: Conditions, change: ConditionChange, now: Timestamp): Conditions {
  return change.op === "Remove"
    ? deleteCondition(conditions, change.before.type)
    : writeCondition(conditions, change.after, now);
}

/** Writes only what another writer has not touched meanwhile. */
function negotiate(conditions: Conditions, change: ConditionChange, now: Timestamp): Conditions {
  switch (change.op) {
    case "Add": {
      const present = findCondition(conditions, change.after.type);
      if (present === undefined) return writeCondition(conditions, change.after, now);
      if (sameState(present, change.after)) return conditions;
      throw conflict(change.after.type, "added", "has been added by another writer with another state");
    }
    case "Change": {
      const present = findCondition(conditions, change.after.type);
      if (present === undefined) throw conflict(change.after.type, "changed", "has been deleted by another writer");
      if (sameCondition(present, change.before)) return writeCondition(conditions, change.after, now);
      if (sameState(present, change.after)) return conditions;
      throw conflict(change.after.type, "changed", "has been changed by another writer");
    }
    case "Remove": {
      const present = findCondition(conditions, change.before.type);
      if (present === undefined) return conditions;
      if (sameState(present, change.before)) return deleteCondition(conditions, change.before.type);
      throw conflict(change.before.type, "removed", "has been changed by another writer");
    }
  }
}

function conflict(type: string, verb: string, why: string): ConditionConflictError {
  return new ConditionConflictError(`condition ${type} cannot be ${verb}: it ${why}`);
}
