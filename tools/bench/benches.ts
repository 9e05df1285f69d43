import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CapstanError } from "#base";

/** Against what a measurement runs: this program, or the real one where there is a counterpart. */
export interface BenchOptions {
  readonly against: "capstan" | "real";
  /** How many of what is measured there are to be, such as clusters; whatever the measurement finds best unless told. */
  readonly sizes: readonly number[];
  /** The one figure that is wanted, for a measurement that has several; all unless told. */
  readonly only?: string;
}

/** One measurement: it hands each result to `print`, which writes it as a line of JSON. */
export type Bench = (print: (line: object) => void, options: BenchOptions) => void | Promise<void>;

/** A measurement that does not exist, or a file that is none. */
export class UnknownBenchError extends CapstanError {
  readonly code = "UNKNOWN_BENCH";
}

/** The names of all measurements whose sources lie in a folder. */
export function benchesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "run.ts")
    .map((name) => name.slice(0, -".ts".length))
    .toSorted();
}

/** Those that were asked for, or all. A room that has several is asked for by its name: `control` for `control-cache`. */
export function chooseBenches(known: readonly string[], wanted: readonly string[]): readonly string[] {
  const isMeant = (name: string, one: string): boolean => one === name || one.startsWith(`${name}-`);
  const unknown = wanted.filter((name) => !known.some((one) => isMeant(name, one)));
  if (unknown.length > 0)
    throw new UnknownBenchError(`there is no bench ${unknown.join(", ")}; there are ${known.join(", ") || "none yet"}`);
  return wanted.length === 0 ? known : wanted.flatMap((name) => known.filter((one) => isMeant(name, one)));
}

/** Loads a compiled measurement. */
export async function loadBench(folder: string, name: string): Promise<Bench> {
  const module: unknown = await import(pathToFileURL(join(folder, `${name}.js`)).href);
  if (!isBenchModule(module)) throw new UnknownBenchError(`bench/${name}.ts exports no function called bench`);
  return module.bench;
}

function isBenchModule(module: unknown): module is { readonly bench: Bench } {
  return typeof module === "object" && module !== null && "bench" in module && typeof module.bench === "function";
}
