import type { Timestamp } from "#base";

/** The three answers that a condition can give. */
export type Status = "True" | "False" | "Unknown";

/** One statement about an object, as it stands in `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: Status;
  readonly reason: string;
  readonly message: string;
  /** When the status last changed; absent is older than every time. */
  readonly lastTransitionTime?: Timestamp;
  /** The generation that was judged; absent means 0. */
  readonly observedGeneration?: number;
}

/** An object whose conditions are known to be well formed, because the API server checked them. */
export interface Conditioned {
  readonly metadata?: { readonly generation?: number };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The reason given to a condition that its source does not report. */
export const notYetReported = "NotYetReported";

/** The conditions of an object, or none. */
export function conditionsOf(object: Conditioned | undefined): readonly Condition[] {
  return object?.status?.conditions ?? [];
}

/** The first condition of a type. */
export function getCondition(object: Conditioned | undefined, type: string): Condition | undefined {
  return findCondition(conditionsOf(object), type);
}

/** The first condition of a type in a list. */
export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** True where the object has a condition of the type. */
export function hasCondition(object: Conditioned | undefined, type: string): boolean {
  return getCondition(object, type) !== undefined;
}

/** False where the condition is missing. */
export function isTrue(object: Conditioned | undefined, type: string): boolean {
  return getCondition(object, type)?.status === "True";
}

/** False where the condition is missing. */
export function isFalse(object: Conditioned | undefined, type: string): boolean {
  return getCondition(object, type)?.status === "False";
}

/** True where the condition is missing: nobody knows. */
export function isUnknown(object: Conditioned | undefined, type: string): boolean {
  return (getCondition(object, type)?.status ?? "Unknown") === "Unknown";
}

/** Empty where the condition is missing. */
export function reasonOf(object: Conditioned | undefined, type: string): string {
  return getCondition(object, type)?.reason ?? "";
}

/** Empty where the condition is missing. */
export function messageOf(object: Conditioned | undefined, type: string): string {
  return getCondition(object, type)?.message ?? "";
}

/** Absent where the condition is missing or has no time. */
export function lastTransitionTimeOf(object: Conditioned | undefined, type: string): Timestamp | undefined {
  return getCondition(object, type)?.lastTransitionTime;
}

/** True where two conditions say the same, whenever they began to say it. */
export function sameState(a: Condition, b: Condition): boolean {
  return (
    a.type === b.type &&
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}

/** True where two conditions are the same in every field. */
export function sameCondition(a: Condition, b: Condition): boolean {
  return sameState(a, b) && a.lastTransitionTime === b.lastTransitionTime;
}
