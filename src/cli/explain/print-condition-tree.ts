import { describeError, describeNext } from "#base";
import { withoutControls } from "#conditions";
import type { Paint } from "../paint.ts";
import type { ConditionTree } from "./condition-tree.ts";
import { referenceText } from "./missing-reference.ts";

/** One line per condition, what decided below it. What comes again is told once. */
export function treeLines(tree: ConditionTree, paint: Paint, next: NextByObject = {}): readonly string[] {
  const { kind, name } = tree;
  return [headOf(tree, paint, `${kind} ${name} `), ...bodyOf(tree, { paint, told: new Set(), next })];
}

/** What comes next after the manager's last pass over an object, by its kind and name. */
type NextByObject = Readonly<Record<string, string>>;

interface TreePrinting {
  readonly paint: Paint;
  /** Conditions that were told already. */
  readonly told: Set<string>;
  readonly next: NextByObject;
}

/** Which condition it is, of which object. */
export function conditionName({ kind, name, type }: ConditionTree): string {
  return `${kind} ${name} ${type}`;
}

function bodyOf(tree: ConditionTree, printing: TreePrinting): readonly string[] {
  const { paint, told } = printing;
  if (told.has(conditionName(tree))) return tree.sources.length === 0 ? [] : [paint.dim("   as above")];
  told.add(conditionName(tree));
  const { sources } = tree;
  const inside = [
    ...detailsOf(tree, printing).map((line) => ({ line, source: undefined })),
    ...sources.map((source) => ({ line: "", source })),
  ];
  return inside.flatMap(({ line, source }) => {
    if (source === undefined) return [`${sources.length > 0 ? "│" : " "}  ${line}`];
    const isLast = source === sources.at(-1);
    const owner = source.kind === tree.kind && source.name === tree.name ? "" : `${source.kind} ${source.name} `;
    const below = bodyOf(source, printing).map((one) => `${isLast ? " " : "│"}  ${one}`);
    return [`${isLast ? "└─" : "├─"} ${headOf(source, paint, owner)}`, ...below];
  });
}

function headOf({ type, condition, good, explanation }: ConditionTree, paint: Paint, owner: string): string {
  const colour = good ? paint.good : condition?.status === "Unknown" ? paint.unsure : paint.bad;
  const says =
    condition === undefined ? paint.unsure("not reported") : colour(`${condition.status} ${condition.reason}`);
  const row = explanation === undefined ? "" : paint.dim(`  [${rowOf(explanation)}]`);
  return `${paint.bold(clean(`${owner}${type}`))}: ${says}${row}`;
}

function rowOf({ row, undecided }: NonNullable<ConditionTree["explanation"]>): string {
  return undecided === undefined ? `row ${row}` : `cannot be told without ${undecided.join(", ")}`;
}

/** What a person wants to know of each condition on the way down. */
function detailsOf(tree: ConditionTree, { paint, next }: TreePrinting): readonly string[] {
  const { explanation, difference, others, sources } = tree;
  return [
    ...(isToldBelow(tree) ? [] : [...saidOf(tree), ...namedOf(tree)].map(clean)),
    ...(explanation === undefined || explanation.next.kind === "await-change"
      ? []
      : [`next: ${clean(next[`${tree.kind} ${tree.name}`] ?? nextOf(explanation))}`]),
    ...(difference === undefined
      ? []
      : [
          paint.unsure(
            difference.stored === undefined
              ? `on the object: nothing; ${difference.why.join("; ")}`
              : `on the object: ${clean(`${difference.stored.status} ${difference.stored.reason} ${difference.stored.message}`)}; ${difference.why.join("; ")}`,
          ),
        ]),
    ...(others.length === 0 || sources.length === 0 ? [] : [paint.dim(`not an issue: ${some(others)}`)]),
  ];
}

/** Whether what a condition says stands below it already, in the conditions that it was made of. */
function isToldBelow({ condition, sources }: ConditionTree): boolean {
  const { message = "" } = condition ?? {};
  return sources.some((source) => message.includes(source.condition?.message ?? ""));
}

/** What a condition says; one without a message still has the guard of its row to tell. */
export function saidOf({ condition, explanation, good, sources }: ConditionTree): readonly string[] {
  const { message = "" } = condition ?? {};
  if (message !== "") return message.split("\n");
  const isTold = good || sources.length > 0 || explanation === undefined || explanation.undecided !== undefined;
  return isTold ? [] : [explanation.when];
}

/** The object of a provider that the condition is about. */
export function namedOf({ reference }: ConditionTree): readonly string[] {
  return reference === undefined ? [] : [`looked for ${referenceText(reference)}`];
}

function nextOf({ next }: NonNullable<ConditionTree["explanation"]>): string {
  return next.kind === "retry" ? `retry with backoff: ${describeError(next.error)}` : describeNext(next);
}

function some(names: readonly string[]): string {
  const most = 8;
  return clean(
    names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", "),
  );
}

function clean(text: string): string {
  return withoutControls(text);
}
