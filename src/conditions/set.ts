import { parseTimestamp, type Timestamp } from "#base";
import type { Condition } from "./condition.ts";
import { sortConditions } from "./order.ts";

/** What a condition takes over from its object and the clock. */
export interface SetOptions {
  /** The time at which a condition begins that does not say so itself. */
  readonly now: Timestamp;
  /** `metadata.generation` of the object that was judged. */
  readonly generation?: number;
}

/**
 * Sets a condition in a list. What the condition says of its own `observedGeneration` is ignored. A status that does
 * not change keeps its time, and a list in which nothing changes comes back as it was, in the order that it had.
 */
export function setCondition(
  conditions: readonly Condition[],
  condition: Condition,
  { now, generation = 0 }: SetOptions,
): readonly Condition[] {
  return writeCondition(conditions, { ...condition, observedGeneration: generation }, now);
}

/** Drops all conditions of a type. */
export function deleteCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  const rest = conditions.filter((condition) => condition.type !== type);
  return rest.length === conditions.length ? conditions : rest;
}

/** As setCondition, but keeps the `observedGeneration` of the condition. */
export function writeCondition(
  conditions: readonly Condition[],
  condition: Condition,
  now: Timestamp,
): readonly Condition[] {
  const next = { ...condition, lastTransitionTime: wholeSeconds(condition.lastTransitionTime ?? now) };
  const index = conditions.findIndex(({ type }) => type === next.type);
  const present = conditions[index];
  if (present === undefined) return sortConditions([...conditions, next]);

  const written = present.status === next.status ? keepTime(next, present) : next;
  if (saysTheSame(written, present)) return conditions;
  return sortConditions(conditions.with(index, written));
}

function keepTime(next: Condition, { lastTransitionTime }: Condition): Condition {
  const { lastTransitionTime: _, ...rest } = next;
  return lastTransitionTime === undefined ? rest : { ...rest, lastTransitionTime };
}

function saysTheSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}

// A Timestamp of our own has whole seconds; one that a caller took from elsewhere may not.
function wholeSeconds(time: Timestamp): Timestamp {
  return time.length === "2025-01-15T12:00:00Z".length ? time : parseTimestamp(time);
}
