import { pluralOf } from "#machinery";
import type { Condition, Status } from "./condition.ts";
import { compareText } from "./order.ts";
import { comparePriorities, priorities, type Priority } from "./priority.ts";

/** A condition together with the object that reports it. */
export interface OwnedCondition extends Condition {
  readonly owner: {
    readonly kind: string;
    readonly name: string;
    readonly isControlPlaneMachine: boolean;
  };
}

/** How much of the conditions of many objects is printed. */
export interface AggregateOptions {
  /** How many messages may be printed in full. */
  readonly most: number;
  readonly dropEmpty: boolean;
  readonly priority: (condition: Condition) => Priority;
  /** What is said of objects whose messages did not fit; nothing is said of a priority that is left out. */
  readonly others: Readonly<Partial<Record<Priority, string>>>;
}

/** A text of one kind, and how much it matters. */
export interface WeighedText {
  /** Some control plane Machine reports it, so it goes first. */
  readonly first: boolean;
  readonly priority: Priority;
  readonly reporters: readonly string[];
  /** The reporters in the order in which they were asked, joined with commas. */
  readonly names: string;
}

/** What is known of one text across all kinds. */
type TextWeight = Pick<WeighedText, "first" | "priority">;

const mostNames = 3;

/** Prints conditions of many objects as a short list, grouped by kind and by text. */
export function aggregateMessages(
  conditions: readonly OwnedCondition[],
  options: AggregateOptions,
): { readonly lines: readonly string[]; readonly left: number } {
  const spoken = options.dropEmpty ? conditions.filter(({ message }) => message !== "") : conditions;
  const weights = weightsOf(spoken, options.priority);
  const controlPlane = new Set(
    spoken.filter(({ owner }) => owner.isControlPlaneMachine).map(({ owner }) => owner.name),
  );
  const kinds = reportersByKind(spoken);
  const lines: string[] = [];
  let left = options.most;

  for (const kind of [...kinds.keys()].toSorted(compareText)) {
    const silent = new Map<Priority, number>();
    for (const { message, priority, reporters } of weighedTexts(kinds.get(kind) ?? new Map(), weights)) {
      if (left === 0) {
        silent.set(priority, (silent.get(priority) ?? 0) + reporters.length);
        continue;
      }
      left -= 1;
      lines.push(`${headline(kind, reporters.toSorted(nameOrder(controlPlane)))}${indent(message)}`);
    }
    for (const priority of priorities) {
      const count = silent.get(priority);
      const tail = options.others[priority];
      if (count !== undefined && tail !== undefined) lines.push(`And ${count} ${counted(kind, count)} ${tail}`);
    }
  }
  return { lines, left };
}

/** Prints the conditions of one object as a list, one entry each. */
export function summaryMessages(
  conditions: readonly Condition[],
  priority: (condition: Condition) => Priority,
  status: Status,
): readonly string[] {
  return conditions
    .filter((condition) => priority(condition) !== "info" || (status === "True" && condition.message !== ""))
    .map(({ type, reason, message }) => `* ${type}:${message === "" ? ` ${reason}` : indent(message)}`);
}

/** Puts a message behind a headline: on the same line, or as a list below it. */
export function indent(message: string): string {
  if (!message.includes("\n") && !isBullet(message)) return ` ${message}`;
  const lines = message.split("\n");
  if (lines.every(isBullet)) return lines.map((line) => `\n  ${line}`).join("");
  return lines.map((line) => (isBullet(line) ? `\n    ${line}` : `\n  * ${line}`)).join("");
}

/** Orders texts: those of control plane Machines, then the graver, then the more frequent, then by reporters. */
export function compareTexts(a: WeighedText, b: WeighedText): number {
  return (
    Number(b.first) - Number(a.first) ||
    comparePriorities(a.priority, b.priority) ||
    b.reporters.length - a.reporters.length ||
    compareText(a.names, b.names)
  );
}

/** Orders objects: control plane Machines first, then by name. */
export function nameOrder(controlPlane: ReadonlySet<string>): (a: string, b: string) => number {
  const rankOf = (name: string) => (controlPlane.has(name) ? 0 : 1);
  return (a, b) => rankOf(a) - rankOf(b) || compareText(a, b);
}

// Upstream finds a bullet anywhere in a line, so that `2 * 3` counts as one.
function isBullet(line: string): boolean {
  return /\*[\t\n\f\r ]/.test(line);
}

/** The gravest priority of each text and whether it goes first, whatever the kinds of those who report it. */
function weightsOf(
  conditions: readonly OwnedCondition[],
  priorityOf: (condition: Condition) => Priority,
): ReadonlyMap<string, TextWeight> {
  const weights = new Map<string, TextWeight>();
  for (const condition of conditions) {
    const { message, owner } = condition;
    const known = weights.get(message);
    const priority = priorityOf(condition);
    const graver = known === undefined || comparePriorities(priority, known.priority) < 0;
    const goesFirst = owner.isControlPlaneMachine && known?.first !== true;
    if (!graver && !goesFirst) continue;
    weights.set(message, {
      priority: graver ? priority : known.priority,
      first: goesFirst || known?.first === true,
    });
  }
  return weights;
}

/** Who reports which text, for each kind. */
function reportersByKind(
  conditions: readonly OwnedCondition[],
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const kinds = new Map<string, Map<string, string[]>>();
  for (const { message, owner } of conditions) {
    let texts = kinds.get(owner.kind);
    if (texts === undefined) kinds.set(owner.kind, (texts = new Map()));
    const reporters = texts.get(message);
    if (reporters === undefined) texts.set(message, [owner.name]);
    else reporters.push(owner.name);
  }
  return kinds;
}

/** The texts of one kind, those that matter most first. */
function weighedTexts(
  texts: ReadonlyMap<string, readonly string[]>,
  weights: ReadonlyMap<string, TextWeight>,
): readonly (WeighedText & { readonly message: string })[] {
  const weighed = Array.from(texts, ([message, reporters]) => {
    const { first, priority } = weights.get(message) ?? { first: false, priority: "issue" };
    return { message, first, priority, reporters, names: reporters.join(",") };
  });
  return weighed.toSorted(compareTexts);
}

function headline(kind: string, names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  const more = names.length > mostNames ? `, ... (${names.length - mostNames} more)` : "";
  return `* ${counted(kind, names.length)} ${shown}${more}:`;
}

function counted(kind: string, count: number): string {
  return count === 1 ? kind : pluralOf(kind);
}
