import { toError } from "#base";
import { documentTable, explanationJson, nameOf, printExplanation, type ReasonSpelling, tableJson } from "#conditions";
import { InvalidYamlError, type Json, parseYaml, printYaml } from "#machinery";
import { UnknownTableError, UnreadableFileError, UsageError } from "../errors.ts";
import { type ExplainedTable, explainedTables } from "../tables.ts";

export interface ExplainOptions {
  readonly table: string;
  readonly facts?: string;
  readonly docs?: boolean;
  readonly output: "text" | "json" | "yaml";
  readonly conditionReasons: ReasonSpelling;
}

/** What the command needs from outside. */
export interface ExplainPorts {
  readonly readFile: (path: string) => Promise<string>;
  readonly write: (text: string) => void;
}

/** Says which row of a table decides about the facts in a file and what it saw, or prints the table itself. */
export async function explainFacts(options: ExplainOptions, ports: ExplainPorts): Promise<void> {
  const { output, conditionReasons: spelling } = options;
  if (options.docs === true) {
    printTable(options.table, options, ports.write);
    return;
  }
  const { explain } = findTable(options.table);
  if (options.facts === undefined) throw new UsageError("give --facts FILE, or --docs for the table itself");
  const explanation = explain(await readFacts(options.facts, ports), spelling);
  ports.write(output === "text" ? `${printExplanation(explanation)}\n` : print(explanationJson(explanation), output));
}

/** Prints a table itself. */
export function printTable(
  name: string,
  { output, conditionReasons: spelling }: Pick<ExplainOptions, "output" | "conditionReasons">,
  write: (text: string) => void,
): void {
  const { table } = findTable(name);
  write(output === "text" ? documentTable(table, { spelling }) : print(tableJson(table), output));
}

function findTable(name: string): ExplainedTable {
  const found = explainedTables.find(({ table }) => nameOf(table) === name);
  if (found !== undefined) return found;
  const known = explainedTables.map(({ table }) => nameOf(table)).join(", ");
  throw new UnknownTableError(`there is no table ${name}; there are ${known}`);
}

async function readFacts(file: string, ports: ExplainPorts): Promise<unknown> {
  try {
    return parseYaml(await ports.readFile(file));
  } catch (error) {
    const problem = error instanceof InvalidYamlError ? `${file} is neither YAML nor JSON` : `cannot read ${file}`;
    throw new UnreadableFileError(problem, { cause: toError(error) });
  }
}

/** As JSON has it: without members that hold nothing. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}

function print(value: object, form: "json" | "yaml"): string {
  return form === "yaml" ? printYaml(plain(value)) : `${JSON.stringify(value, undefined, 2)}\n`;
}
