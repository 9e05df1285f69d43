import type { Status } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { fact } from "./fact.ts";
import type { ConditionSource } from "./source.ts";
import { summaryCondition, type SummaryConditionOptions } from "./summary.ts";

/** What several conditions of one object say together, as a fact. */
export type Summary =
  | { readonly kind: "made"; readonly status: Status; readonly message: string }
  | { readonly kind: "failed"; readonly error: string };

/** Sums up conditions; types that cannot be summed up make a failure, not a crash. */
export function summarize(source: ConditionSource, targetType: string, options: SummaryConditionOptions): Summary {
  try {
    const { status, message } = summaryCondition(source, targetType, options);
    return { kind: "made", status, message };
  } catch (error) {
    if (!(error instanceof ConditionInputError)) throw error;
    return { kind: "failed", error: error.message };
  }
}

/** The message of a summary, where it has this status. */
export function summaryIs(summary: Summary, status: Status): { readonly message: string } | undefined {
  return summary.kind === "made" && summary.status === status ? { message: summary.message } : undefined;
}

/** Reads a summary from a facts file. */
export const readSummary = fact.byKind<Summary>({
  made: { status: fact.oneOf("True", "False", "Unknown"), message: fact.text },
  failed: { error: fact.text },
});
