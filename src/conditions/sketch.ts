import { describeError, formatDuration, type Next } from "#base";
import type { Status } from "./condition.ts";
import { placeholder } from "./placeholder.ts";
import type { Report } from "./table.ts";

/** What a row does, in words: what only a live object can supply stands there as a <placeholder>. */
export interface RowSketch<Reason extends string> {
  readonly report: ReportSketch<Reason>;
  readonly next: NextSketch;
}

export type ReportSketch<Reason extends string> =
  | { readonly kind: "last-known" }
  | {
      readonly kind: "mirrored";
      readonly status: string;
      readonly reason: string;
      readonly message: string;
      readonly since?: string;
    }
  | {
      readonly kind: "set";
      readonly status: Status;
      readonly reason: Reason;
      readonly message: string;
      readonly since?: string;
    };

export type NextSketch =
  | { readonly kind: "await-change" }
  | { readonly kind: "requeue"; readonly after: string; readonly why: string }
  | { readonly kind: "retry"; readonly error: string };

/** Fills in the columns of a row with placeholders instead of evidence. */
export function sketchOf<R extends string>(
  columns: (evidence: never) => { readonly report: Report<R>; readonly next: Next },
): RowSketch<R> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever field is read of a placeholder, it answers
  const { report, next } = columns(placeholder() as never);
  return { report: sketchReport(report), next: sketchNext(next) };
}

function sketchReport<R extends string>(report: Report<R>): ReportSketch<R> {
  if (report.kind === "last-known") return report;
  const message = printed(report.message);
  const since = report.since === undefined ? {} : { since: printed(report.since) };
  if (report.kind === "set") return { kind: "set", status: report.status, reason: report.reason, message, ...since };
  return { kind: "mirrored", status: printed(report.status), reason: printed(report.reason), message, ...since };
}

/** A placeholder passes for a value of any type until it is printed. */
function printed(value: unknown): string {
  return String(value);
}

function sketchNext(next: Next): NextSketch {
  switch (next.kind) {
    case "await-change":
      return next;
    case "requeue": {
      const after = Number.isFinite(next.after) ? formatDuration(next.after) : printed(next.after);
      return { kind: "requeue", after, why: printed(next.why) };
    }
    case "retry":
      return { kind: "retry", error: describeError(next.error) };
  }
}
