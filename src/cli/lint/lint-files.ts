import { describeError } from "#base";
import {
  fieldAt,
  InvalidYamlError,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonTooDeepError,
  type LinedYaml,
  parseLinedYaml,
} from "#machinery";
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

/** A file of which nothing is known but why. */
export interface UnreadableFile {
  readonly file: string;
  readonly problem: string;
}

/** Checks every ClusterClass in some files, in lists too; other objects are passed over. */
export async function lintFiles(
  files: Iterable<SourceFile> | AsyncIterable<SourceFile | UnreadableFile>,
): Promise<LintReport> {
  let classes = 0;
  const problems: Problem[] = [];
  for await (const source of files) {
    const { file } = source;
    const parsed = parse(source);
    if (parsed.kind === "unreadable") {
      problems.push({ file, line: parsed.line, class: "", field: "", problem: parsed.problem });
      continue;
    }
    for (const document of parsed.documents.flatMap(classesIn)) {
      classes += 1;
      problems.push(...(await problemsOf(document, file)));
    }
  }
  return { classes, problems };
}

type Parsed =
  | { readonly kind: "read"; readonly documents: readonly LinedYaml[] }
  | { readonly kind: "unreadable"; readonly line: number; readonly problem: string };

function parse(source: SourceFile | UnreadableFile): Parsed {
  if ("problem" in source) return { kind: "unreadable", line: 1, problem: source.problem };
  try {
    return { kind: "read", documents: parseLinedYaml(source.text) };
  } catch (error) {
    if (!(error instanceof InvalidYamlError || error instanceof JsonTooDeepError)) throw error;
    const line = error instanceof InvalidYamlError ? (error.line ?? 1) : 1;
    return { kind: "unreadable", line, problem: describeError(error) };
  }
}

/** The classes of a document: itself, or items of the list that it is. */
function classesIn(document: LinedYaml): readonly LinedYaml[] {
  const { value } = document;
  if (isClass(value)) return [document];
  const items = isList(value) ? value["items"] : undefined;
  if (!isJsonList(items)) return [];
  return items.flatMap((item, index) =>
    isClass(item) ? [{ value: item, lineAt: (path) => document.lineAt(["items", index, ...path]) }] : [],
  );
}

function isList(value: Json): value is JsonObject {
  return isJsonObject(value) && typeof value["kind"] === "string" && value["kind"].endsWith("List");
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
