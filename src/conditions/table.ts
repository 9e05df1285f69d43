import { awaitChange, type Next, type Timestamp } from "#base";
import type { Status } from "./condition.ts";
import { type RowSketch, sketchOf } from "./sketch.ts";

/** What a guard saw when it held: plain data, used by the row's message and printed by explain. */
export type Evidence = object;

/** A question about facts: the words say all that the test asks, and nothing more. */
export interface Guard<Facts, E extends Evidence> {
  readonly text: string;
  readonly test: (facts: Facts) => E | undefined;
}

/** What a row does to the condition. */
export type Report<Reason extends string = string> =
  | { readonly kind: "last-known" }
  /** Says what a condition of another object says, whatever its reason. */
  | {
      readonly kind: "mirrored";
      readonly status: Status;
      readonly reason: string;
      readonly message: string;
      readonly since?: Timestamp;
    }
  | {
      readonly kind: "set";
      readonly status: Status;
      readonly reason: Reason;
      readonly message: string;
      /** Given where a condition mirrors another and takes over its time. */
      readonly since?: Timestamp;
    };

/** The step that a row relies on, or why there is nothing to do. */
export type Ensure = { readonly name: string; readonly text: string } | { readonly nothing: string };

/** What follows from facts for which a row holds. */
export interface Match<Reason extends string> {
  readonly evidence: Evidence;
  readonly report: Report<Reason>;
  readonly next: Next;
}

/** One row of a table, made by `row` or `otherwise`. */
export interface Row<Facts, Reason extends string, Id extends string> {
  readonly id: Id;
  readonly when: string;
  readonly ensure: Ensure;
  readonly match: (facts: Facts) => Match<Reason> | undefined;
  /** The columns as documentation shows them. */
  readonly sketch: () => RowSketch<Reason>;
}

/** A condition, declared once as an ordered list of rows. The first row that holds decides; the last one always holds. */
export interface ConditionTable<Facts, Reason extends string = string, Id extends string = string> {
  readonly of: string;
  readonly type: string;
  readonly polarity: "positive" | "negative";
  readonly summary: string;
  readonly reasons: readonly Reason[];
  /** Reasons that the documents spell otherwise than upstream does. */
  readonly documented: { readonly [reason: string]: string };
  readonly rows: readonly Row<Facts, Reason, Id>[];
}

/** A guard that needs no evidence. */
export function holds<Facts>(text: string, test: (facts: Facts) => boolean): Guard<Facts, object> {
  return { text, test: (facts) => (test(facts) ? {} : undefined) };
}

/** A guard that hands what it found to the rest of the row. */
export function finds<Facts, E extends Evidence>(text: string, test: (facts: Facts) => E | undefined): Guard<Facts, E> {
  return { text, test };
}

/** Leaves the condition as it stands. */
export const lastKnown: Report<never> = { kind: "last-known" };

/** Reports that the condition is True. */
export function True<const R extends string>(reason: R, message = "", since?: Timestamp): Report<R> {
  return set("True", reason, message, since);
}

/** Reports that the condition is False. */
export function False<const R extends string>(reason: R, message = "", since?: Timestamp): Report<R> {
  return set("False", reason, message, since);
}

/** Reports that nobody can tell. */
export function Unknown<const R extends string>(reason: R, message = "", since?: Timestamp): Report<R> {
  return set("Unknown", reason, message, since);
}

/** Reports what a condition of another object says. */
export function mirrored(source: {
  readonly status: Status;
  readonly reason: string;
  readonly message: string;
  readonly since?: Timestamp;
}): Report<never> {
  const { status, reason, message, since } = source;
  return { kind: "mirrored", status, reason, message, ...(since === undefined ? {} : { since }) };
}

/** Nothing is to be done, and why. */
export function nothing(why: string): Ensure {
  return { nothing: why };
}

interface Columns<E extends Evidence, R extends string, Id extends string> {
  readonly id: Id;
  readonly ensure: Ensure;
  readonly report: Report<R> | ((evidence: E) => Report<R>);
  /** Waits for a change unless told otherwise. */
  readonly next?: Next | ((evidence: E) => Next);
}

/** One row: when it holds, what it relies on, what it reports, what comes next. */
export function row<Facts, E extends Evidence, const R extends string, const Id extends string>(
  spec: Columns<E, R, Id> & { readonly when: Guard<Facts, E> },
): Row<Facts, R, Id> {
  const columns = (evidence: E) => ({
    report: typeof spec.report === "function" ? spec.report(evidence) : spec.report,
    next: typeof spec.next === "function" ? spec.next(evidence) : (spec.next ?? awaitChange),
  });
  return {
    id: spec.id,
    when: spec.when.text,
    ensure: spec.ensure,
    sketch: () => sketchOf(columns),
    match: (facts) => {
      const evidence = spec.when.test(facts);
      return evidence && { evidence, ...columns(evidence) };
    },
  };
}

/** The last row, which always holds. */
export function otherwise<Facts, const R extends string, const Id extends string, E extends Evidence = object>(
  spec: Columns<E, R, Id> & { readonly when: string; readonly sees: (facts: Facts) => E },
): Row<Facts, R, Id>;
export function otherwise<Facts, const R extends string, const Id extends string>(
  spec: Columns<object, R, Id> & { readonly when: string },
): Row<Facts, R, Id>;
export function otherwise<Facts, const R extends string, const Id extends string>(
  spec: Columns<object, R, Id> & { readonly when: string; readonly sees?: (facts: Facts) => object },
): Row<Facts, R, Id> {
  return row({ ...spec, when: finds(spec.when, spec.sees ?? (() => ({}))) });
}

/** Declares a condition. `otherwise` makes the table total. */
export function defineCondition<
  Facts,
  const Reason extends string,
  const Id extends string,
  const LastId extends string,
>(spec: {
  readonly of: string;
  readonly type: string;
  readonly polarity?: "positive" | "negative";
  readonly summary: string;
  readonly reasons: readonly Reason[];
  readonly documented?: Readonly<Partial<Record<NoInfer<Reason>, string>>>;
  readonly rows: readonly Row<Facts, NoInfer<Reason>, Id>[];
  readonly otherwise: Row<Facts, NoInfer<Reason>, LastId>;
}): ConditionTable<Facts, Reason, Id | LastId> {
  const { otherwise: last, rows, polarity = "positive", documented, ...rest } = spec;
  return { ...rest, polarity, documented: { ...documented }, rows: [...rows, last] };
}

function set<R extends string>(status: Status, reason: R, message: string, since?: Timestamp): Report<R> {
  return { kind: "set", status, reason, message, ...(since === undefined ? {} : { since }) };
}
