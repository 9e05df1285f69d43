import { type Duration, formatDuration } from "./duration.ts";
import { describeError } from "./errors.ts";

/** What happens to an object after a pass, if nothing changes meanwhile. */
export type Next =
  | { readonly kind: "await-change" }
  | { readonly kind: "requeue"; readonly after: Duration; readonly why: string }
  | { readonly kind: "retry"; readonly error: Error };

/** Nothing until something changes. */
export const awaitChange: Next = { kind: "await-change" };

/** Another pass after some time, and why. */
export function requeueAfter(after: Duration, why: string): Next {
  return { kind: "requeue", after, why };
}

/** Another pass with backoff, because this one failed. */
export function retry(error: Error): Next {
  return { kind: "retry", error };
}

/** An error beats a timer, the sooner timer beats the later one, and anything beats waiting. */
export function mostUrgent(a: Next, b: Next): Next {
  if (a.kind === "retry" || b.kind === "await-change") return a;
  if (b.kind === "retry" || a.kind === "await-change") return b;
  return a.after <= b.after ? a : b;
}

/** A Next in words, for people. */
export function describeNext(next: Next): string {
  switch (next.kind) {
    case "await-change":
      return "none: waits for a change";
    case "requeue":
      return `requeueAfter ${formatDuration(next.after)}: ${next.why}`;
    case "retry":
      return `retry with backoff: ${describeError(next.error)}`;
  }
}
