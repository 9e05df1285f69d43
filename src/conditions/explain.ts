import { awaitChange, describeError, describeNext, findError, type Next, quote } from "#base";
import { matchOf, nameOf, type ReasonSpelling, spelled } from "./decide.ts";
import { ConditionTableError, UnknownFactError } from "./errors.ts";
import {
  type ConditionTable,
  type Ensure,
  type Evidence,
  lastKnown,
  type Match,
  type Report,
  type Row,
} from "./table.ts";

/** What one row had to say of some facts. */
export interface RowVerdict {
  readonly id: string;
  readonly when: string;
  /** `holds-too`: its guard holds, but a row above it decided. `cannot-tell`: it asks for a fact that nobody knows. */
  readonly verdict: "fired" | "no" | "holds-too" | "cannot-tell";
  /** The fact that is not known. */
  readonly needs?: string;
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
  /** Facts that are not known and that rows above this one ask for: any of those may be the one that fires. */
  readonly undecided?: readonly string[];
}

/** Asks every guard, and says which row fired and what it saw; or, where facts are not known, which rows may fire. */
export function explain<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  facts: F,
  spelling: ReasonSpelling = "documented",
): Explanation {
  const answers = table.rows.map((row) => answerOf(table, row, facts));
  const last = answers.at(-1);
  const sure = answers.find((answer) => answer.kind === "holds");
  const fired = sure ?? last;
  if (fired === undefined || fired.kind === "no") {
    throw new ConditionTableError(`${nameOf(table)} has no row that always holds`);
  }
  const { evidence, report, next } = fired.kind === "holds" ? fired.match : unknowable;
  const above = answers.slice(0, answers.indexOf(fired) + (fired === sure ? 0 : 1));
  const undecided = [...new Set(above.flatMap((answer) => (answer.kind === "cannot-tell" ? [answer.needs] : [])))];
  return {
    table: nameOf(table),
    type: table.type,
    row: fired.row.id,
    when: fired.row.when,
    evidence,
    report: report.kind === "set" ? { ...report, reason: spelled(table, report.reason, spelling) } : report,
    ensure: fired.row.ensure,
    next,
    // The last row holds whatever the facts are, so that it tells nothing.
    rows: answers.map((answer) => verdictOf(answer, { isFired: answer === sure, isLast: answer === last })),
    ...(undecided.length === 0 ? {} : { undecided }),
  };
}

/** What a row answers to facts of which some may not be known. */
type Answer<F, R extends string, Id extends string> =
  | { readonly kind: "holds"; readonly row: Row<F, R, Id>; readonly match: Match<R> }
  | { readonly kind: "no"; readonly row: Row<F, R, Id> }
  | { readonly kind: "cannot-tell"; readonly row: Row<F, R, Id>; readonly needs: string };

/** What follows from a last row whose evidence is not known. */
const unknowable: Match<never> = { evidence: {}, report: lastKnown, next: awaitChange };

function answerOf<F, R extends string, Id extends string>(
  table: ConditionTable<F, R, Id>,
  row: Row<F, R, Id>,
  facts: F,
): Answer<F, R, Id> {
  try {
    const match = matchOf(table, row, facts);
    return match === undefined ? { kind: "no", row } : { kind: "holds", row, match };
  } catch (error) {
    const unknown = findError(error, UnknownFactError);
    if (unknown === undefined) throw error;
    return { kind: "cannot-tell", row, needs: unknown.fact };
  }
}

function verdictOf<F, R extends string, Id extends string>(
  answer: Answer<F, R, Id>,
  { isFired, isLast }: { readonly isFired: boolean; readonly isLast: boolean },
): RowVerdict {
  const { id, when } = answer.row;
  if (answer.kind === "cannot-tell") return { id, when, verdict: "cannot-tell", needs: answer.needs };
  if (isFired) return { id, when, verdict: "fired" };
  return { id, when, verdict: answer.kind === "holds" && !isLast ? "holds-too" : "no" };
}

/** An explanation as lines for people. */
export function printExplanation(
  explanation: Explanation,
  { below = "shown" }: { readonly below?: "shown" | "counted" } = {},
): string {
  const { report, evidence, ensure, next } = explanation;
  const text = [
    headline(explanation),
    ...rowLines(explanation, below),
    ...(below === "counted" && Object.keys(evidence).length === 0 ? [] : [`saw       ${JSON.stringify(evidence)}`]),
    ...(report.kind !== "last-known" && report.message !== ""
      ? [`message   ${report.message.replaceAll("\n", "\n          ")}`]
      : []),
    ...(report.kind !== "last-known" && report.since !== undefined ? [`since     ${report.since}`] : []),
    `ensure    ${"nothing" in ensure ? `nothing: ${ensure.nothing}` : `${ensure.name}: ${ensure.text}`}`,
    `next      ${describeNext(next)}`,
  ].join("\n");
  return withoutControls(text);
}

/** A line for each row; those below the one that fired matter only where they hold, too. */
function rowLines({ rows }: Explanation, below: "shown" | "counted"): readonly string[] {
  const width = Math.max(...rows.map(({ id }) => id.length)) + 2;
  const fired = rows.findIndex(({ verdict }) => verdict === "fired");
  const isLeftOut = ({ verdict }: RowVerdict, index: number): boolean =>
    below === "counted" && fired !== -1 && index > fired && verdict === "no";
  const lines = rows.flatMap((row, index) => {
    const { id, verdict } = row;
    const mark = verdict === "fired" ? "->" : verdict === "cannot-tell" ? " ?" : "  ";
    return isLeftOut(row, index)
      ? []
      : [`${mark} ${String(index + 1).padStart(2)}  ${id.padEnd(width)}${wordsFor(row)}`];
  });
  const left = rows.length - lines.length;
  return left === 0
    ? lines
    : [...lines, `       and ${left} ${left === 1 ? "row" : "rows"} below that would not hold either`];
}

function headline({ table, report, undecided, row }: Explanation): string {
  const says = report.kind === "last-known" ? "as last known" : `${report.status}, ${report.reason}`;
  if (undecided === undefined) return `${table}: ${says}`;
  return `${table}: cannot be told without ${undecided.join(" and ")}; if no row marked ? holds, it is ${row}: ${says}`;
}

function wordsFor({ verdict, when, needs = "" }: RowVerdict): string {
  switch (verdict) {
    case "fired":
      return `holds  ${when}`;
    case "no":
      return `no     ${when}`;
    case "holds-too":
      return `holds  ${when}; but a row above decided`;
    case "cannot-tell":
      return `?      ${when}; ${needs} is not known`;
  }
}

/** An explanation as plain JSON: the error behind a retry becomes its text. */
export function explanationJson(explanation: Explanation): object {
  const { next } = explanation;
  return { ...explanation, next: next.kind === "retry" ? { kind: next.kind, error: describeError(next.error) } : next };
}

/** A text for a terminal: messages come from Nodes and providers, whoever runs those, and must not steer it. */
export function withoutControls(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => quote(character).slice(1, -1));
}
