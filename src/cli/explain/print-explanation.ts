import { type Explanation, explanationJson, printExplanation, withoutControls } from "#conditions";
import { type Paint } from "../paint.ts";
import { distinct, leafInShort, leavesOf, nodesOf, rootsOf, saidInShort } from "./causes.ts";
import type { ConditionTree } from "./condition-tree.ts";
import { nextInTime } from "./next-in-time.ts";
import { allConditions } from "./print-conditions.ts";
import { treeLines } from "./print-condition-tree.ts";
import { asLastKnown, meanwhile, type ToldOf, unreachableLines } from "./print-unreachable.ts";
import type { ObjectExplanation } from "./explain-object.ts";

/** An explanation as lines for people: the condition, its table, the tree of what decided, and what is not known. */
export function printObject(explanation: ObjectExplanation, paint: Paint): string {
  const { tree, paused, unreachable: away, lastPass, problems, notes, missing } = explanation;
  const deciding = nodesOf(tree).filter(({ isOwnDecision }) => isOwnDecision === true);
  const shown = distinct([tree, ...deciding.slice(0, 1), ...leavesOf(tree).slice(0, mostLeaves)]);
  const tables = shown.flatMap((one) => tableLines(one, nextLines(one, explanation)));
  const blocks = [
    paused ? [paint.unsure(pausedLine(explanation)), ""] : [],
    away === undefined ? [] : [...unreachableLines(away, toldOf(explanation)).map((line) => paint.unsure(line)), ""],
    treeLines(tree, paint, explanation.next),
    tables,
    ["", ...allConditions(explanation, paint)],
    lastPass === undefined
      ? []
      : [
          "",
          clean(`last pass ${lastPass.at}: ${lastPass.outcome}, next: ${nextInTime(lastPass).replace(/^none: /, "")}`),
          ...lastPass.errors
            .filter((error) => !lastPass.next.includes(error))
            .map((error) => `  ${paint.bad(clean(error))}`),
        ],
    problems.map((problem) => paint.bad(`could not be read: ${clean(problem)}`)),
    missing.length === 0
      ? []
      : [
          "",
          ...missing.map((fact) => paint.unsure(`not known: ${fact}`)),
          ...(lastPass === undefined ? howToTell(missing) : []),
        ],
    notes.map((note) => paint.dim(`note: ${note}`)),
    inShort(explanation, paint),
  ];
  return `${blocks.flat().join("\n")}\n`;
}

/** The answer once more, where whoever reads a long text is at its end. */
function inShort(explanation: ObjectExplanation, paint: Paint): readonly string[] {
  const { tree, paused, unreachable: away } = explanation;
  const { kind, name, type, good, condition, sources } = tree;
  if (condition === undefined) return [];
  const head = `in short: ${type} of ${kind} ${name} is ${condition.status}`;
  if (good)
    return away === undefined ? [] : ["", paint.bold(clean(`${head} ${asLastKnown(away, toldOf(explanation))}`))];
  const because = rootsOf(tree)
    .slice(0, mostLeaves)
    .map((leaf) => clean(`  ${leafInShort(leaf, tree)}`));
  return [
    "",
    ...(paused ? [paint.bold(pausedLine(explanation))] : []),
    ...(sources.length === 0
      ? [paint.bold(clean(`${head}${saidInShort(tree)}`))]
      : [paint.bold(clean(`${head}, because`)), ...because]),
    ...(away === undefined ? [] : [clean(meanwhile(away, toldOf(explanation)))]),
  ];
}

function toldOf({ object, conditions }: ObjectExplanation): ToldOf {
  if (object.kind !== "Machine") return "Cluster";
  const ready = conditions.find(({ type }) => type === "Ready");
  return ready?.status === "True" ? "Machine that is Ready" : "Machine that is not Ready";
}

function pausedLine({ conditions, tree: { kind, name } }: ObjectExplanation): string {
  const { message = "" } = conditions.find(({ type }) => type === "Paused") ?? {};
  return clean(`${kind} ${name} is paused, and nobody works on it${message === "" ? "" : `: ${message}`}`);
}

/** So many of the conditions that decided in the end are shown with their tables. */
const mostLeaves = 3;

/** A table, and what it saw. */
function tableLines(
  { kind, name, type, explanation }: ConditionTree,
  next: readonly string[] | undefined,
): readonly string[] {
  if (explanation === undefined) return ["", clean(`${kind} ${name} ${type}: no table of this program is about it`)];
  const [head = "", ...lines] = printExplanation(withoutEmptyFacts(explanation), { below: "counted" }).split("\n");
  const end = lines.findLastIndex((line) => line.startsWith("next "));
  return ["", `${head}  (${clean(`${kind} ${name}`)})`, ...lines.slice(0, end), ...(next ?? lines.slice(end))];
}

/** What a row saw, without what is empty and what its message says anyway. */
function withoutEmptyFacts(explanation: Explanation): Explanation {
  const { evidence, report } = explanation;
  const idle: readonly unknown[] = ["", undefined, ...(report.kind === "set" ? [report.message] : [])];
  const seen = Object.entries(evidence).filter(([, value]) => !idle.includes(value));
  return { ...explanation, evidence: Object.fromEntries(seen) };
}

/** What comes next, where the last pass over an object tells: steps may have asked for more than the row does. */
function nextLines(
  { kind, name }: ConditionTree,
  { tree, lastPass, next }: ObjectExplanation,
): readonly string[] | undefined {
  // Of the object that is asked for it stands with its last pass.
  if (lastPass !== undefined && kind === tree.kind && name === tree.name) return [];
  const told = next[`${kind} ${name}`];
  return told === undefined ? undefined : [clean(`next      ${told}`)];
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
