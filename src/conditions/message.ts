import type { Condition, Status } from "./condition.ts";
import { compareText } from "./order.ts";
import { pluralOf } from "./plural.ts";
import { priorities, type Priority } from "./priority.ts";

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

/** What is known of one text across all that report it. */
interface Text {
  readonly priority: Priority;
  /** Some control plane Machine reports it, so it goes first. */
  readonly first: boolean;
}

const mostNames = 3;

/** Prints conditions of many objects as a short list, grouped by kind and by text. */
export function aggregateMessages(
  conditions: readonly OwnedCondition[],
  options: AggregateOptions,
): { readonly lines: readonly string[]; readonly left: number } {
  const spoken = conditions.filter(({ message }) => !options.dropEmpty || message !== "");
  const texts = textsOf(spoken, options.priority);
  const controlPlane = new Set(
    spoken.filter(({ owner }) => owner.isControlPlaneMachine).map(({ owner }) => owner.name),
  );
  const byKind = groupByKind(spoken);
  const lines: string[] = [];
  let left = options.most;

  for (const kind of [...byKind.keys()].toSorted(compareText)) {
    const names = namesByMessage(byKind.get(kind) ?? []);
    const silent = new Map<Priority, number>();
    for (const message of [...names.keys()].toSorted(messageOrder(texts, names))) {
      const reporters = names.get(message) ?? [];
      if (left === 0) {
        const priority = texts.get(message)?.priority ?? "issue";
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
export function messageOrder(
  texts: ReadonlyMap<string, Text>,
  names: ReadonlyMap<string, readonly string[]>,
): (a: string, b: string) => number {
  const firstOf = (message: string) => (texts.get(message)?.first === true ? 0 : 1);
  const rankOf = (message: string) => priorities.indexOf(texts.get(message)?.priority ?? "issue");
  const reportersOf = (message: string) => names.get(message) ?? [];
  return (a, b) =>
    firstOf(a) - firstOf(b) ||
    rankOf(a) - rankOf(b) ||
    reportersOf(b).length - reportersOf(a).length ||
    compareText(reportersOf(a).join(","), reportersOf(b).join(","));
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

/** The gravest priority of each text and who reports it, whatever the kind of the reporter. */
function textsOf(
  conditions: readonly OwnedCondition[],
  priorityOf: (condition: Condition) => Priority,
): ReadonlyMap<string, Text> {
  const texts = new Map<string, Text>();
  for (const condition of conditions) {
    const seen = texts.get(condition.message);
    const priority = priorityOf(condition);
    const graver = seen !== undefined && priorities.indexOf(seen.priority) < priorities.indexOf(priority);
    texts.set(condition.message, {
      priority: graver ? seen.priority : priority,
      first: seen?.first === true || condition.owner.isControlPlaneMachine,
    });
  }
  return texts;
}

function groupByKind(conditions: readonly OwnedCondition[]): ReadonlyMap<string, readonly OwnedCondition[]> {
  const groups = new Map<string, OwnedCondition[]>();
  for (const condition of conditions) {
    const group = groups.get(condition.owner.kind);
    if (group === undefined) groups.set(condition.owner.kind, [condition]);
    else group.push(condition);
  }
  return groups;
}

function namesByMessage(conditions: readonly OwnedCondition[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { message, owner } of conditions) {
    const reporters = names.get(message);
    if (reporters === undefined) names.set(message, [owner.name]);
    else reporters.push(owner.name);
  }
  return names;
}

function headline(kind: string, names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  const more = names.length > mostNames ? `, ... (${names.length - mostNames} more)` : "";
  return `* ${counted(kind, names.length)} ${shown}${more}:`;
}

function counted(kind: string, count: number): string {
  return count === 1 ? kind : pluralOf(kind);
}
