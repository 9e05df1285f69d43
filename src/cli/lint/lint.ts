import { LintError, NothingToLintError } from "../errors.ts";
import type { LintReport, Problem } from "./lint-files.ts";
import { sourceFiles } from "./source-files.ts";

/** What to check, and how to say what is wrong. */
export interface LintOptions {
  readonly files: readonly string[];
  readonly output: "text" | "json";
}

/** Checks the classes in files and folders, prints what is wrong, and throws a LintError where anything is. */
export async function lint({ files, output }: LintOptions, write: (text: string) => void): Promise<void> {
  // What checks classes is a great deal, and most commands of this room do without it.
  const { lintFiles } = await import("./lint-files.ts");
  const report = await lintFiles(sourceFiles(files));
  if (report.classes === 0 && report.problems.length === 0) {
    throw new NothingToLintError(`there is no ClusterClass in ${files.join(", ")}`);
  }
  write(output === "json" ? `${JSON.stringify(report, undefined, 2)}\n` : printed(report));
  if (report.problems.length > 0) throw new LintError(`${counted(report.problems.length, "problem")} found`);
}

function printed({ classes, problems }: LintReport): string {
  if (problems.length > 0) return problems.map(line).join("");
  return `${counted(classes, "class", "classes")} checked, nothing wrong\n`;
}

/** As compilers print it, so that editors can follow. */
function line({ file, line: at, field, problem }: Problem): string {
  return `${file}:${at}: ${field === "" ? "" : `${field}: `}${problem}\n`;
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
