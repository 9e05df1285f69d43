import { characters, codePoints } from "../values/text.ts";

/** Something wrong with an expression, and where: an offset in UTF-16 units, or none where no place is to blame. */
export interface SourceProblem {
  readonly offset: number | undefined;
  readonly message: string;
}

interface Location {
  readonly line: number;
  readonly column: number;
}

const mostProblems = 100;
const longestSnippet = 16_384;

/** Problems as the CEL compiler prints them: a line each with its position, the source line and a caret. */
export function describeProblems(source: string, problems: readonly SourceProblem[]): string {
  const places = new Map(problems.map((problem) => [problem, locate(source, problem.offset)]));
  const sorted = problems
    .slice(0, mostProblems)
    .map((problem) => ({ problem, at: places.get(problem) ?? nowhere }))
    .toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  const lines = sorted.map(({ problem, at }) => describe(source, problem, at));
  if (problems.length > mostProblems) lines.push(`${problems.length - mostProblems} more errors were truncated`);
  return lines.join("\n");
}

// Printed as `-1:0`, which is how the reference compiler says that no place is to blame.
const nowhere: Location = { line: -1, column: -1 };

function locate(source: string, offset: number | undefined): Location {
  if (offset === undefined) return nowhere;
  let line = 1;
  let start = 0;
  for (let end = source.indexOf("\n"); end !== -1 && end < offset; end = source.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: codePoints(source.slice(start, offset)) };
}

function describe(source: string, problem: SourceProblem, at: Location): string {
  const text = `ERROR: <input>:${at.line}:${at.column + 1}: ${problem.message}`;
  // Nothing is pointed at where no place is to blame.
  const snippet = at.line < 1 ? undefined : lineOf(source, problem.offset ?? 0);
  if (snippet === undefined || Buffer.byteLength(snippet) > longestSnippet) return text;
  const shown = snippet.replaceAll("\t", " ");
  const shownCharacters = characters(shown);
  const dots = shownCharacters.slice(0, at.column).map((character) => (isWide(character) ? "．" : "."));
  const pointed = shownCharacters[at.column];
  const caret = pointed !== undefined && isWide(pointed) ? "＾" : "^";
  return `${text}\n | ${shown}\n | ${dots.join("")}${caret}`;
}

function lineOf(source: string, offset: number): string {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  const end = source.indexOf("\n", start);
  return source.slice(start, end === -1 ? source.length : end);
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
