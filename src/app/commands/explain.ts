import { readFile } from "node:fs/promises";
import { Option } from "commander";
import { toError } from "#base";
import { documentTable, explanationJson, nameOf, printExplanation, type ReasonSpelling, tableJson } from "#conditions";
import { InvalidYamlError, type Json, parseYaml, printYaml } from "#machinery";
import { UnknownTableError, UnreadableFileError, UsageError } from "../errors.ts";
import { example } from "../example.ts";
import { type ExplainedTable, explainedTables } from "../tables.ts";
import type { AddCommand } from "./index.ts";

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
export async function explainCommand(options: ExplainOptions, ports: ExplainPorts): Promise<void> {
  const { output, conditionReasons: spelling } = options;
  const { table, explain } = findTable(options.table);
  if (options.docs === true) {
    ports.write(output === "text" ? documentTable(table, { spelling }) : print(tableJson(table), output));
    return;
  }
  if (options.facts === undefined) throw new UsageError("give --facts FILE, or --docs for the table itself");
  const explanation = explain(await readFacts(options.facts, ports), spelling);
  ports.write(output === "text" ? `${printExplanation(explanation)}\n` : print(explanationJson(explanation), output));
}

/** Adds `capstan explain`. */
export const addExplain: AddCommand = (program, terminal) => {
  program
    .command("explain")
    .description("say why a condition is what it is, from facts in a file")
    .requiredOption("-t, --table <name>", "the table to ask, such as Machine.NodeReady")
    .option("-f, --facts <file>", "a YAML or JSON file with what was seen")
    .option("--docs", "print the table itself")
    .addOption(new Option("-o, --output <form>", "how to print").choices(["text", "json", "yaml"]).default("text"))
    .addOption(
      new Option("--condition-reasons <spelling>", "how reasons are spelled")
        .choices(["documented", "upstream"])
        .default("documented"),
    )
    .addHelpText("after", example("capstan explain --table Machine.NodeReady --facts examples/node-not-ready.yaml"))
    .action((options: ExplainOptions) =>
      explainCommand(options, { readFile: (path) => readFile(path, "utf8"), write: terminal.write }),
    );
};

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
