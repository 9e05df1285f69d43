import { describeError, describeNext, type Next, quote } from "#base";
import { decide, matchOf, nameOf, type ReasonSpelling, spelled } from "./decide.ts";
import type { ConditionTable, Ensure, Evidence, Report } from "./table.ts";

/** What one row had to say of some facts. */
export interface RowVerdict {
  readonly id: string;
  readonly when: string;
  /** `holds-too`: its guard holds, but a row above it decided. */
  readonly verdict: "fired" | "no" | "holds-too";
}

/** Why a condition is what it is. */
export interface Explanation {
  readonly table: string;
  readonly type: string;
  readonly row: string;
  readonly when: string;
  readonly evidence: Evidence;
  readonly report: Report;
  readonly ensure: Ensure;
  readonly next: Next;
  readonly rows: readonly RowVerdict[];
}

const words: Readonly<Record<RowVerdict["verdict"], string>> = {
  fired: "holds",
  no: "no",
  "holds-too": "holds too, but a row above decided",
};

/** Asks every guard, and says which row fired and what it saw. */
export function explain<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  facts: F,
  spelling: ReasonSpelling = "documented",
): Explanation {
  const { row, evidence, report, next } = decide(table, facts);
  const last = table.rows.at(-1);
  const verdictOf = (other: typeof row): RowVerdict["verdict"] => {
    if (other === row) return "fired";
    // The last row holds whatever the facts are, so that it tells nothing.
    return other !== last && matchOf(table, other, facts) !== undefined ? "holds-too" : "no";
  };
  return {
    table: nameOf(table),
    type: table.type,
    row: row.id,
    when: row.when,
    evidence,
    report: report.kind === "set" ? { ...report, reason: spelled(table, report.reason, spelling) } : report,
    ensure: row.ensure,
    next,
    rows: table.rows.map((other) => ({ id: other.id, when: other.when, verdict: verdictOf(other) })),
  };
}

/** An explanation as lines for people. */
export function printExplanation(explanation: Explanation): string {
  const { table, row, rows, report, ensure, next } = explanation;
  const width = Math.max(...rows.map(({ id }) => id.length)) + 2;
  const lines = rows.map(({ id, verdict }, index) => {
    const mark = id === row ? "->" : "  ";
    return `${mark} ${String(index + 1).padStart(2)}  ${id.padEnd(width)}${words[verdict]}`;
  });
  const text = [
    `${table}: ${report.kind !== "last-known" ? `${report.status}, ${report.reason}` : "as last known"}`,
    ...lines,
    `because   ${explanation.when}`,
    `saw       ${JSON.stringify(explanation.evidence)}`,
    ...(report.kind !== "last-known" && report.message !== ""
      ? [`message   ${report.message.replaceAll("\n", "\n          ")}`]
      : []),
    ...(report.kind !== "last-known" && report.since !== undefined ? [`since     ${report.since}`] : []),
    `ensure    ${"nothing" in ensure ? `nothing: ${ensure.nothing}` : `${ensure.name}: ${ensure.text}`}`,
    `next      ${describeNext(next)}`,
  ].join("\n");
  return withoutControls(text);
}

/** An explanation as plain JSON: the error behind a retry becomes its text. */
export function explanationJson(explanation: Explanation): object {
  const { next } = explanation;
  return { ...explanation, next: next.kind === "retry" ? { kind: next.kind, error: describeError(next.error) } : next };
}

/** Messages come from Nodes and providers, whoever runs those, and must not be able to steer a terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => quote(character).slice(1, -1));
}
