import { between, parseTimestamp, type Timestamp } from "#base";
import { withoutControls } from "#conditions";
import { humanDuration } from "#machinery";
import type { ConditionLine } from "../explain/explain-object.ts";
import type { Paint } from "../paint.ts";
import type { ObjectTree } from "./object-tree.ts";
import { oneLine } from "./one-line.ts";

/** How a tree is printed. */
export interface TreePrinting {
  readonly paint: Paint;
  readonly now: Timestamp;
  /** Whose conditions are all shown: `all`, or kinds and names such as `Machine` and `Machine/m1`. */
  readonly showConditions: readonly string[];
}

interface Line {
  readonly tree: string;
  readonly condition?: ConditionLine;
  /** What is said in place of the message of the condition. */
  readonly cause?: string;
  readonly see?: string;
}

/** A Cluster as lines for people. */
export function printTree(tree: ObjectTree, { paint, now, showConditions }: TreePrinting): string {
  const lines = linesOf(tree, "", "", showConditions);
  const width = Math.max(4, ...lines.map(({ tree: text }) => text.length)) + 2;
  const columns = widths(lines);
  const head = ["NAME".padEnd(width), ...columns.map(({ title, width: wide }) => title.padEnd(wide))].join("");
  const body = lines.map(({ tree: text, condition, cause, see }) => {
    const name = text.padEnd(width);
    if (condition === undefined) return paint.bold(name.trimEnd());
    const colour = colourOf(condition, paint);
    const cells = columns.map(({ of, width: wide, title }) => {
      const cell = of(condition, now).padEnd(wide);
      return title === "STATUS" ? colour(cell) : title === "ROW" ? paint.dim(cell) : cell;
    });
    const says = [clean(cause ?? oneLine(condition.message)), ...(see === undefined ? [] : [paint.dim(see)])];
    return `${name}${cells.join("")}${says.filter((part) => part !== "").join("  ")}`.trimEnd();
  });
  return `${[paint.dim(`${head}MESSAGE`), ...body].join("\n")}\n`;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly of: (condition: ConditionLine, now: Timestamp) => string;
}

function widths(lines: readonly Line[]): readonly Column[] {
  const conditions = lines.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
  const column = (title: string, of: Column["of"]): Column => {
    const longest = Math.max(title.length, ...conditions.map((one) => of(one, anyTime).length));
    return { title, width: longest + 2, of };
  };
  return [
    column("CONDITION", ({ type }) => type),
    column("STATUS", ({ status }) => (status === "" ? "-" : status)),
    column("REASON", ({ reason }) => clean(reason)),
    column("ROW", ({ row, undecided }) => (undecided ? "?" : (row ?? ""))),
    { ...column("SINCE", ageOf), width: 7 },
  ];
}

const anyTime = parseTimestamp("2000-01-01T00:00:00Z");

function ageOf({ since }: ConditionLine, now: Timestamp): string {
  return since === undefined ? "" : humanDuration(Math.max(0, between(since, now)));
}

function linesOf(tree: ObjectTree, first: string, rest: string, shown: readonly string[]): readonly Line[] {
  const { head, cause, children, conditions, group, object } = tree;
  const all = isShown(tree, shown) ? conditions.filter((condition) => condition !== head) : [];
  const own: Line = {
    tree: `${first}${labelOf(tree)}`,
    ...(head === undefined ? {} : { condition: head }),
    ...(cause === undefined ? {} : { cause }),
    ...(group === undefined ? {} : { see: `see ${group.slice(0, 3).join(", ")}${group.length > 3 ? ", …" : ""}` }),
  };
  const bar = children.length > 0 ? "│ " : "  ";
  return [
    object !== undefined && head === undefined ? { ...own, condition: silent } : own,
    ...all.map((condition) => ({ tree: `${rest}${bar}`, condition })),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return linesOf(child, `${rest}${isLast ? "└─" : "├─"}`, `${rest}${isLast ? "  " : "│ "}`, shown);
    }),
  ];
}

const silent: ConditionLine = { type: "", status: "", reason: "", message: "", negative: false, undecided: false };

function labelOf({ role, object, group }: ObjectTree): string {
  if (object === undefined) return role ?? "";
  const name = group === undefined ? `${object.kind}/${object.name}` : `${group.length} ${object.kind}s...`;
  return role === undefined ? name : `${role} - ${name}`;
}

function isShown({ object, group }: ObjectTree, shown: readonly string[]): boolean {
  if (object === undefined) return false;
  const names = group ?? [object.name];
  return shown.some(
    (wanted) => wanted === "all" || wanted === object.kind || names.some((name) => wanted === `${object.kind}/${name}`),
  );
}

function colourOf({ status, negative }: ConditionLine, paint: Paint): (text: string) => string {
  if (status === "Unknown" || status === "") return paint.unsure;
  return (status === "True") === negative ? paint.bad : paint.good;
}

function clean(text: string): string {
  return withoutControls(text);
}
