import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CapstanError, describeError } from "#base";
import type { Adapters } from "./adapters/adapter.ts";
import { type Outcome, runCases } from "./run-cases.ts";
import { readVectorFile, type VectorCase } from "./vector-file.ts";

/** A folder or a file name under which there are no vectors. */
export class NoVectorsError extends CapstanError {
  readonly code = "NO_VECTORS";
}

export interface RunOptions {
  readonly adapters: Readonly<Record<string, Adapters>>;
  readonly notYetBuilt: readonly string[];
  /** Only the file of this name. */
  readonly file?: string;
  /** Says every difference of every case instead of the first few. */
  readonly verbose?: boolean;
  readonly print: (line: string) => void;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const casesShown = 3;
const differencesShown = 5;
const longestValue = 400;

/** Runs the vectors of a folder, printing a line per file, the first differences and the totals. */
export async function runFolder(folder: string, options: RunOptions): Promise<Totals> {
  let totals: Totals = { passed: 0, failed: 0 };
  for (const name of vectorFilesOf(folder, options.file)) {
    const { passed, failed } = await runFile(join(folder, name), name, options);
    totals = { passed: totals.passed + passed, failed: totals.failed + failed };
  }
  options.print(`${totals.passed} passed, ${totals.failed} failed`);
  return totals;
}

/** The names of the files in a folder of vectors. */
export function vectorFilesOf(folder: string, only?: string): readonly string[] {
  const names = jsonFilesOf(folder);
  if (names.length === 0) throw new NoVectorsError(`there are no *.json files in ${folder}`);
  if (only === undefined) return names;
  const wanted = only.endsWith(".json") ? only : `${only}.json`;
  if (!names.includes(wanted))
    throw new NoVectorsError(`there is no ${wanted} in ${folder}; there are ${names.join(", ")}`);
  return [wanted];
}

function jsonFilesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch (error) {
    throw new NoVectorsError(`cannot read the folder ${folder}`, { cause: error });
  }
}

async function runFile(path: string, name: string, options: RunOptions): Promise<Totals> {
  const { print, adapters, notYetBuilt } = options;
  try {
    const outcomes = await runCases(readVectorFile(path), adapters[name]);
    const built = !notYetBuilt.includes(name);
    const passed = outcomes.filter(([, { kind }]) => kind === "passed").length;
    const failures = outcomes.filter(([, { kind }]) => kind === "failed" || (kind === "no-adapter" && built));
    print(fileLine(name, outcomes, { passed, failed: failures.length, built }));
    printCases(options.verbose === true ? outcomes : failures.slice(0, casesShown), options);
    return { passed, failed: failures.length };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    print(`${name.padEnd(32)} cannot be read: ${describeError(error)}`);
    return { passed: 0, failed: 1 };
  }
}

function fileLine(
  name: string,
  outcomes: readonly (readonly [VectorCase, Outcome])[],
  { passed, failed, built }: Totals & { readonly built: boolean },
): string {
  const count = (kind: Outcome["kind"]) => outcomes.filter(([, outcome]) => outcome.kind === kind).length;
  const notBinding = count("does-not-bind");
  return [
    name.padEnd(32),
    `${String(passed).padStart(4)} passed`,
    `${String(failed).padStart(4)} failed`,
    `${String(count("no-adapter")).padStart(4)} without adapter`,
    notBinding > 0 ? `  ${notBinding} differ where they may` : "",
    built ? "" : "  (not yet built)",
  ]
    .join("")
    .trimEnd();
}

function printCases(
  outcomes: readonly (readonly [VectorCase, Outcome])[],
  { print, verbose = false }: RunOptions,
): void {
  for (const [{ name, op }, outcome] of outcomes) {
    const title = op === "" ? name : `${op}: ${name}`;
    switch (outcome.kind) {
      case "passed":
        print(`  passed   ${title}`);
        break;
      case "no-adapter":
        print(`  no adapter for the operation ${JSON.stringify(op)}: ${name}`);
        break;
      case "does-not-bind":
        print(`  differs where it may (${outcome.why}): ${title}`);
        break;
      case "failed":
        print(`  failed   ${title} (${outcome.form})`);
        for (const { path, expected, actual } of outcome.differences.slice(0, verbose ? undefined : differencesShown)) {
          print(`    at ${path === "" ? "(the answer)" : path}`);
          print(`      expected ${shown(expected, verbose)}`);
          print(`      actual   ${shown(actual, verbose)}`);
        }
    }
  }
}

function shown(value: unknown, whole: boolean): string {
  const text =
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "absent";
  return whole || text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}
