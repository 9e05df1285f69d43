import type { Condition } from "./condition.ts";
import { ConditionTableError } from "./errors.ts";
import type { ConditionTable, Match, Report, Row } from "./table.ts";

/** The row that decided, what it saw, and what follows from it. */
export interface Decision<Facts, Reason extends string, Id extends string> extends Match<Reason> {
  readonly row: Row<Facts, Reason, Id>;
}

/** How reasons are spelled: as the documents do, or as upstream does. */
export type ReasonSpelling = "documented" | "upstream";

/** The first row that holds decides. */
export function decide<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  facts: F,
): Decision<F, R, Id> {
  for (const row of table.rows) {
    const match = matchOf(table, row, facts);
    if (match !== undefined) return { row, ...match };
  }
  throw new ConditionTableError(`${nameOf(table)} has no row that always holds`);
}

/** What a row says of facts; an error in a guard names the row that it is in. */
export function matchOf<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  row: Row<F, R, Id>,
  facts: F,
): Match<R> | undefined {
  try {
    return row.match(facts);
  } catch (error) {
    throw new ConditionTableError(`row ${row.id} of ${nameOf(table)} failed on these facts`, { cause: error });
  }
}

/** The condition that a report asks for, or nothing where the last known one stands. */
export function conditionOf(
  table: { readonly type: string; readonly documented: ConditionTable<never>["documented"] },
  report: Report,
  spelling: ReasonSpelling = "documented",
): Condition | undefined {
  if (report.kind === "last-known") return undefined;
  const { status, reason, message, since } = report;
  return {
    type: table.type,
    status,
    reason: report.kind === "set" ? spelled(table, reason, spelling) : reason,
    message,
    ...(since === undefined ? {} : { lastTransitionTime: since }),
  };
}

/** A reason as it is written to objects. */
export function spelled(
  { documented }: { readonly documented: ConditionTable<never>["documented"] },
  reason: string,
  spelling: ReasonSpelling,
): string {
  return spelling === "documented" ? (documented[reason] ?? reason) : reason;
}

/** `Machine.NodeReady`: the name by which people ask for a table. */
export function nameOf({ of, type }: { readonly of: string; readonly type: string }): string {
  return `${of}.${type}`;
}
