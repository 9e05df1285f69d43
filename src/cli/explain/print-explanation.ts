import { describeError, describeNext } from "#base";
import { explanationJson, printExplanation, withoutControls } from "#conditions";
import { type Paint } from "../paint.ts";
import type { ConditionTree } from "./condition-tree.ts";
import type { ConditionLine, ObjectExplanation } from "./explain-object.ts";

/** An explanation as lines for people: the condition, its table, the tree of what decided, and what is not known. */
export function printObject(explanation: ObjectExplanation, paint: Paint): string {
  const { tree, conditions, paused, lastPass, problems, notes, missing } = explanation;
  const tables = [...new Set([tree, ...leavesOf(tree).slice(0, mostLeaves)])].flatMap(tableLines);
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

/** Where the way down ends. */
function leavesOf(tree: ConditionTree): readonly ConditionTree[] {
  return tree.sources.length === 0 ? [tree] : tree.sources.flatMap(leavesOf);
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

/** One line per condition, what decided below it. */
export function treeLines(tree: ConditionTree, paint: Paint): readonly string[] {
  return [headOf(tree, paint, `${tree.kind} ${tree.name} `), ...bodyOf(tree, paint)];
}

function bodyOf(tree: ConditionTree, paint: Paint): readonly string[] {
  const { sources, others } = tree;
  const inside = [
    ...detailsOf(tree, paint).map((line) => ({ line, source: undefined })),
    ...sources.map((source) => ({ line: "", source })),
  ];
  const lines = inside.flatMap(({ line, source }) => {
    if (source === undefined) return [`${sources.length > 0 ? "│" : " "}  ${line}`];
    const isLast = source === sources.at(-1);
    const owner = source.kind === tree.kind && source.name === tree.name ? "" : `${source.kind} ${source.name} `;
    const below = bodyOf(source, paint).map((one) => `${isLast ? " " : "│"}  ${one}`);
    return [`${isLast ? "└─" : "├─"} ${headOf(source, paint, owner)}`, ...below];
  });
  const rest = others.length === 0 || sources.length === 0 ? [] : [paint.dim(`   well: ${some(others)}`)];
  return [...lines, ...rest];
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
function detailsOf(tree: ConditionTree, paint: Paint): readonly string[] {
  const { explanation, difference, sources } = tree;
  return [
    ...(sources.length > 0 ? [] : [...saidOf(tree), ...namedOf(tree)].map(clean)),
    ...(explanation === undefined || explanation.next.kind === "await-change" ? [] : [`next: ${nextOf(explanation)}`]),
    ...(difference === undefined
      ? []
      : [
          paint.unsure(
            difference.stored === undefined
              ? `on the object: nothing; ${difference.why.join("; ")}`
              : `on the object: ${clean(`${difference.stored.status} ${difference.stored.reason} ${difference.stored.message}`)}; ${difference.why.join("; ")}`,
          ),
        ]),
  ];
}

/** What a condition says; one without a message still has the guard of its row to tell. */
function saidOf({ condition, explanation, good }: ConditionTree): readonly string[] {
  const { message = "" } = condition ?? {};
  if (message !== "") return message.split("\n");
  return good || explanation === undefined || explanation.undecided !== undefined ? [] : [explanation.when];
}

/** The object of a provider that the condition is about. */
function namedOf({ reference, good }: ConditionTree): readonly string[] {
  return good || reference === undefined ? [] : [`it goes by ${reference}`];
}

function nextOf({ next }: NonNullable<ConditionTree["explanation"]>): string {
  return clean(next.kind === "retry" ? `retry with backoff: ${describeError(next.error)}` : describeNext(next));
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

function some(names: readonly string[]): string {
  const most = 8;
  return clean(
    names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", "),
  );
}

function clean(text: string): string {
  return withoutControls(text);
}
