import { describeError } from "#base";
import { fieldAt, InvalidYamlError, JsonTooDeepError, type LinedYaml, parseLinedYaml } from "#machinery";
import { stepsTo } from "./field-place.ts";
import { type ClassProblem, isClass, lintClass } from "./lint-class.ts";

/** One thing wrong, and where. */
export interface Problem extends ClassProblem {
  readonly file: string;
  /** Counted from one. */
  readonly line: number;
  /** The name of the class; empty where the file itself is wrong. */
  readonly class: string;
}

/** What came of looking at files. */
export interface LintReport {
  /** How many classes were looked at. */
  readonly classes: number;
  readonly problems: readonly Problem[];
}

/** A file by its name, and what stands in it. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** Checks every ClusterClass in some files; other objects are passed over. */
export async function lintFiles(files: Iterable<SourceFile> | AsyncIterable<SourceFile>): Promise<LintReport> {
  let classes = 0;
  const problems: Problem[] = [];
  for await (const { file, text } of files) {
    const parsed = parse(text);
    if (parsed.kind === "unreadable") {
      problems.push({ file, line: parsed.line, class: "", field: "", problem: parsed.problem });
      continue;
    }
    for (const document of parsed.documents.filter(({ value }) => isClass(value))) {
      classes += 1;
      problems.push(...(await problemsOf(document, file)));
    }
  }
  return { classes, problems };
}

type Parsed =
  | { readonly kind: "read"; readonly documents: readonly LinedYaml[] }
  | { readonly kind: "unreadable"; readonly line: number; readonly problem: string };

function parse(text: string): Parsed {
  try {
    return { kind: "read", documents: parseLinedYaml(text) };
  } catch (error) {
    if (!(error instanceof InvalidYamlError || error instanceof JsonTooDeepError)) throw error;
    const line = error instanceof InvalidYamlError ? (error.line ?? 1) : 1;
    return { kind: "unreadable", line, problem: describeError(error) };
  }
}

/** The problems of one class from top to bottom. */
async function problemsOf(document: LinedYaml, file: string): Promise<readonly Problem[]> {
  const { value } = document;
  if (!isClass(value)) return [];
  const name = fieldAt(value, "metadata", "name");
  const found = (await lintClass(value)).map((problem) => ({
    file,
    line: document.lineAt(stepsTo(problem.field, value)),
    class: typeof name === "string" ? name : "",
    ...problem,
  }));
  return found.toSorted((a, b) => a.line - b.line);
}
