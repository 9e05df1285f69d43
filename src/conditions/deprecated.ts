import type { Timestamp } from "#base";
import type { Condition } from "./condition.ts";
import { compareText } from "./order.ts";
import { longestDeprecatedMessage, shortened } from "./shorten.ts";

/** A condition as readers of v1beta1 expect it, in `status.deprecated.v1beta1.conditions`. */
export interface DeprecatedCondition {
  readonly type: string;
  readonly status: string;
  /** How bad it is: `Error`, `Warning`, `Info` or nothing. */
  readonly severity?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: Timestamp;
}

/** How the deprecated twin of a condition differs from it. */
export interface DeprecatedTwin {
  readonly type: string;
  /** How bad it is that the condition is False. */
  readonly severity: "Error" | "Warning" | "Info";
  /** Reasons that had other names. */
  readonly reasons?: { readonly [reason: string]: string };
}

/** Sets the deprecated twin of a condition in a list. One that says the same as before keeps its time. */
export function setDeprecatedTwin(
  conditions: readonly DeprecatedCondition[],
  condition: Condition,
  { twin, now }: { readonly twin: DeprecatedTwin; readonly now: Timestamp },
): readonly DeprecatedCondition[] {
  const next = { ...stateOf(condition, twin), lastTransitionTime: now };
  const present = conditions.find(({ type }) => type === twin.type);
  if (present !== undefined && saysTheSame(present, next)) return conditions;
  const others = conditions.filter((other) => other !== present);
  return [...others, next].toSorted(byType);
}

/** A condition that is True says nothing else, and only one that is False has a severity. */
function stateOf({ status, reason, message }: Condition, { type, severity, reasons = {} }: DeprecatedTwin) {
  if (status === "True") return { type, status };
  return {
    type,
    status,
    ...(status === "False" ? { severity } : {}),
    reason: reasons[reason] ?? reason,
    ...(message === "" ? {} : { message: shortened(message, longestDeprecatedMessage) }),
  };
}

function saysTheSame(a: DeprecatedCondition, b: DeprecatedCondition): boolean {
  const parts = ["status", "severity", "reason", "message"] as const;
  return parts.every((part) => (a[part] ?? "") === (b[part] ?? ""));
}

/** Ready comes first, the others follow by name. */
function byType(a: DeprecatedCondition, b: DeprecatedCondition): number {
  if (a.type === b.type) return 0;
  if (a.type === "Ready" || b.type === "Ready") return a.type === "Ready" ? -1 : 1;
  return compareText(a.type, b.type);
}
