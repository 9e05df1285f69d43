import { toError } from "#base";
import { type Json, printYaml } from "#machinery";
import { UnreadableSourceError } from "../errors.ts";
import type { Paint } from "../paint.ts";
import { type Dump, readDump } from "./dump.ts";
import { explainObject, type Question } from "./explain-object.ts";
import { explanationData, printObject } from "./print-explanation.ts";
import type { Situation } from "./situation.ts";

/** How the answer is printed. */
export interface ExplainPrinting {
  readonly output: "text" | "json" | "yaml";
  readonly paint: Paint;
  readonly write: (text: string) => void;
}

/** Explains a condition of an object, and prints the answer. */
export async function explainTo(
  question: Question,
  situation: Situation,
  { output, paint, write }: ExplainPrinting,
): Promise<void> {
  const explanation = await explainObject(question, situation);
  write(output === "text" ? printObject(explanation, paint) : printData(explanationData(explanation), output));
}

/** Reads a dump from files. */
export async function readDumpFiles(
  paths: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<Dump> {
  const files = await Promise.all(
    paths.map(async (path) => {
      try {
        return { path, text: await readFile(path) };
      } catch (error) {
        throw new UnreadableSourceError(`cannot read ${path}`, { cause: toError(error) });
      }
    }),
  );
  return readDump(files);
}

/** Data as a person or a program wants it: without members that hold nothing. */
export function printData(value: object, form: "json" | "yaml"): string {
  const plain: Json = JSON.parse(JSON.stringify(value));
  return form === "yaml" ? printYaml(plain) : `${JSON.stringify(plain, undefined, 2)}\n`;
}
