import { explanationJson, printExplanation, withoutControls } from "#conditions";
import { type Paint } from "../paint.ts";
import type { ConditionTree } from "./condition-tree.ts";
import { conditionName, namedOf, saidOf, treeLines } from "./print-condition-tree.ts";
import type { ConditionLine, ObjectExplanation } from "./explain-object.ts";

/** An explanation as lines for people: the condition, its table, the tree of what decided, and what is not known. */
export function printObject(explanation: ObjectExplanation, paint: Paint): string {
  const { tree, conditions, paused, lastPass, problems, notes, missing } = explanation;
  const tables = distinct([tree, ...leavesOf(tree).slice(0, mostLeaves)]).flatMap(tableLines);
  const blocks = [
    treeLines(tree, paint),
    tables,
    ["", paint.bold("all conditions"), ...conditions.map((line) => conditionLine(line, paint))],
    lastPass === undefined
      ? []
      : [
          "",
          `last pass ${lastPass.at}: ${lastPass.outcome}, next ${lastPass.next}`,
          ...lastPass.errors.map((error) => `  ${paint.bad(clean(error))}`),
        ],
    paused ? ["", paint.unsure("paused: nobody works on this object")] : [],
    problems.map((problem) => paint.bad(`could not be read: ${clean(problem)}`)),
    missing.length === 0
      ? []
      : ["", ...missing.map((fact) => paint.unsure(`not known: ${fact}`)), ...howToTell(missing)],
    notes.map((note) => paint.dim(`note: ${note}`)),
    inShort(tree, paint),
  ];
  return `${blocks.flat().join("\n")}\n`;
}

/** The answer once more, where whoever reads a long text is at its end. */
function inShort(tree: ConditionTree, paint: Paint): readonly string[] {
  const { kind, name, type, good, condition, sources } = tree;
  if (good || condition === undefined) return [];
  const head = `in short: ${type} of ${kind} ${name} is ${condition.status}`;
  if (sources.length === 0) return ["", paint.bold(clean(`${head}${saidInShort(tree)}`))];
  const because = leavesOf(tree)
    .slice(0, mostLeaves)
    .map((leaf) => {
      const owner = leaf.kind === kind && leaf.name === name ? "" : ` of ${leaf.kind} ${leaf.name}`;
      return clean(`  ${leaf.type}${owner} is ${leaf.condition?.status ?? "not reported"}${saidInShort(leaf)}`);
    });
  return ["", paint.bold(clean(`${head}, because`)), ...because];
}

function saidInShort(tree: ConditionTree): string {
  const [first = "", ...others] = saidOf(tree);
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const named = namedOf(tree).map((name) => ` (${name})`);
  return `${first === "" ? "" : ": "}${first}${more}${named.join("")}`;
}

/** So many of the conditions that decided in the end are shown with their tables. */
const mostLeaves = 3;

/** Where the way down ends, each end once. */
function leavesOf(tree: ConditionTree): readonly ConditionTree[] {
  return tree.sources.length === 0 ? [tree] : distinct(tree.sources.flatMap(leavesOf));
}

function distinct(trees: readonly ConditionTree[]): readonly ConditionTree[] {
  return [...new Map(trees.map((tree) => [conditionName(tree), tree])).values()];
}

function tableLines({ kind, name, type, explanation }: ConditionTree): readonly string[] {
  if (explanation === undefined) return ["", clean(`${kind} ${name} ${type}: no table of this program is about it`)];
  const [head = "", ...rows] = printExplanation(explanation, { below: "counted" }).split("\n");
  return ["", `${head}  (${clean(`${kind} ${name}`)})`, ...rows];
}

/** An explanation as plain data. */
export function explanationData(explanation: ObjectExplanation): object {
  return { ...explanation, tree: treeData(explanation.tree) };
}

function treeData(tree: ConditionTree): object {
  const { explanation, sources } = tree;
  return {
    ...tree,
    ...(explanation === undefined ? {} : { explanation: explanationJson(explanation) }),
    sources: sources.map(treeData),
  };
}

function conditionLine({ type, status, reason, row, negative, undecided }: ConditionLine, paint: Paint): string {
  const colour =
    status === "Unknown" || status === "" ? paint.unsure : (status === "True") === negative ? paint.bad : paint.good;
  const says = colour((status === "" ? "-" : status).padEnd(8));
  const by = row === undefined ? "" : paint.dim(undecided ? "  cannot be told" : `  row ${row}`);
  return `  ${type.padEnd(30)}${says}${clean(reason)}${by}`;
}

/** How whoever looks at a dump can say what it does not hold. */
function howToTell(missing: readonly string[]): readonly string[] {
  const flags = [
    ...(missing.some((fact) => fact.startsWith("connection.lastProbeSuccess"))
      ? ["--last-probe-success TIME|never"]
      : []),
    ...(missing.some((fact) => fact.startsWith("connection.consecutiveFailures")) ? ["--consecutive-failures N"] : []),
    ...(missing.some((fact) => fact.startsWith("node "))
      ? ["--connected or --no-connected, and the Nodes in the dump"]
      : []),
  ];
  return [`  say it with ${[...flags, "a facts: document in the dump"].join(", ")}`];
}

function clean(text: string): string {
  return withoutControls(text);
}
