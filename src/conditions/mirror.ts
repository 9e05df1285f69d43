import { type Condition, findCondition, notYetReported } from "./condition.ts";

/** How a mirrored condition is called, and what stands in for a missing one. */
export interface MirrorConditionOptions {
  readonly targetConditionType?: string;
  /** What to say where the source says nothing. */
  readonly fallbackCondition?: Pick<Condition, "status" | "reason" | "message">;
}

/** A condition of one object, said of another: same status, reason, message and time. */
export function mirrorCondition(
  conditions: readonly Condition[],
  sourceType: string,
  options: MirrorConditionOptions = {},
): Condition {
  const type = options.targetConditionType ?? sourceType;
  const found = findCondition(conditions, sourceType);
  if (found !== undefined) {
    const { observedGeneration: _, ...mirrored } = found;
    return { ...mirrored, type };
  }
  const { fallbackCondition: fallback } = options;
  if (fallback !== undefined) {
    return { type, status: fallback.status, reason: fallback.reason, message: fallback.message };
  }
  return { type, status: "Unknown", reason: notYetReported, message: `Condition ${sourceType} not yet reported` };
}
