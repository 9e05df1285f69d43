import { parseInstant, type Timestamp } from "#base";
import type { Condition, Status } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { aggregateMessages, type OwnedCondition, summaryMessages } from "./message.ts";
import { defaultPriority, type Priority } from "./priority.ts";

/** What is being made: one statement about many objects, or one about many conditions of an object. */
export type MergeOperation = "aggregate" | "summary";

/** Turns many conditions into one statement. */
export interface MergeStrategy {
  merge(operation: MergeOperation, conditions: readonly OwnedCondition[], conditionTypes: readonly string[]): Merged;
}

/** What many conditions say together. */
export interface Merged {
  readonly status: Status;
  readonly reason: string;
  readonly message: string;
}

/** Conditions by how much they matter, each group in the order in which they came. */
export type Split = Readonly<Record<Priority, readonly OwnedCondition[]>>;

/** How a strategy judges and words what it merges. */
export interface MergeStrategyOptions {
  /** False where True of the result means trouble. */
  readonly targetHasPositivePolarity?: boolean;
  readonly reason?: (split: Split) => string;
  readonly priority?: (condition: Condition) => Priority;
  /** Has the last word on the entries of a summary. */
  readonly summaryMessageTransform?: (entries: readonly string[]) => readonly string[];
}

const mostMessages = 3;

const wholeSeconds = "2025-01-15T12:00:00Z".length;

/** The strategy that all of Cluster API uses: the gravest group decides. */
export function mergeStrategy(options: MergeStrategyOptions = {}): MergeStrategy {
  const {
    targetHasPositivePolarity: positive = true,
    reason = reasons("IssuesReported", "UnknownReported", "InfoReported"),
    priority = defaultPriority([]),
    summaryMessageTransform = (entries: readonly string[]) => entries,
  } = options;
  return {
    merge(operation, conditions, conditionTypes) {
      if (conditions.length === 0) throw new ConditionInputError("can't merge an empty list of conditions");
      const sorted = sortForMerge(conditions, conditionTypes);
      const split = splitByPriority(sorted, priority);
      const status = statusOf(split, positive);
      const entries =
        operation === "summary"
          ? summaryMessageTransform(summaryMessages(sorted, priority, status))
          : aggregateLines(split, priority);
      return { status, reason: reason(split), message: entries.join("\n") };
    },
  };
}

/** Picks a reason by the gravest group that is not empty. */
export function reasons(issue: string, unknown: string, info: string): (split: Split) => string {
  return (split) => (split.issue.length > 0 ? issue : split.unknown.length > 0 ? unknown : info);
}

/** Orders conditions by their place in the list of types, then by age; one that has no time is the oldest. */
export function sortForMerge(
  conditions: readonly OwnedCondition[],
  conditionTypes: readonly string[],
): readonly OwnedCondition[] {
  const placed = conditions.map((condition) => ({
    condition,
    place: Math.max(0, conditionTypes.lastIndexOf(condition.type)),
    time: condition.lastTransitionTime,
  }));
  placed.sort((a, b) => a.place - b.place || compareTimes(a.time, b.time));
  return placed.map(({ condition }) => condition);
}

/** Groups conditions by how much they matter. */
export function splitByPriority(
  conditions: readonly OwnedCondition[],
  priority: (condition: Condition) => Priority,
): Split {
  const split: Record<Priority, OwnedCondition[]> = { issue: [], unknown: [], info: [] };
  for (const condition of conditions) split[priority(condition)].push(condition);
  return split;
}

function statusOf({ issue, unknown }: Split, positive: boolean): Status {
  if (issue.length > 0) return positive ? "False" : "True";
  if (unknown.length > 0) return "Unknown";
  return positive ? "True" : "False";
}

/** Information is printed only where there is nothing graver to say. */
function aggregateLines(split: Split, priority: (condition: Condition) => Priority): readonly string[] {
  const troubles = [...split.issue, ...split.unknown];
  const { lines } =
    troubles.length > 0
      ? aggregateMessages(troubles, {
          most: mostMessages,
          dropEmpty: false,
          priority,
          others: { issue: "with other issues", unknown: "with status unknown" },
        })
      : aggregateMessages(split.info, {
          most: mostMessages,
          dropEmpty: true,
          priority,
          others: { info: "with additional info" },
        });
  return lines;
}

function compareTimes(a: Timestamp | undefined, b: Timestamp | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  // Times of whole seconds in UTC compare as text; others have to be read.
  if (a.length === wholeSeconds && b.length === wholeSeconds) return a < b ? -1 : 1;
  return parseInstant(a) - parseInstant(b);
}
