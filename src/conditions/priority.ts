import type { Condition } from "./condition.ts";

/** How much a condition matters when several are merged, most important first. */
export type Priority = "issue" | "unknown" | "info";

export const priorities: readonly Priority[] = ["issue", "unknown", "info"];

/** Orders priorities, the most important first. */
export function comparePriorities(a: Priority, b: Priority): number {
  return ranks[a] - ranks[b];
}

const ranks: Readonly<Record<Priority, number>> = { issue: 0, unknown: 1, info: 2 };

/**
 * A False condition is an issue and a True one is information, unless its type is of negative polarity, where it is the
 * other way round. Whatever is neither is unknown.
 */
export function defaultPriority(negativeTypes: readonly string[]): (condition: Condition) => Priority {
  const negative = new Set(negativeTypes);
  return ({ type, status }) => {
    if (status !== "True" && status !== "False") return "unknown";
    return (status === "True") === negative.has(type) ? "issue" : "info";
  };
}
