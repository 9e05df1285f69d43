import { describeError } from "#base";
import { RE2JS } from "re2js";

/** A regular expression of a schema, or why it is none. */
export type Pattern =
  | { readonly kind: "valid"; readonly text: string; readonly matches: (value: string) => boolean }
  | { readonly kind: "broken"; readonly text: string; readonly why: string };

// The same few values (condition types, reasons, names of owners) are checked again and again, and the same few
// patterns stand in every schema. Both are remembered up to a limit that nobody can push any further.
const mostPatterns = 500;
const mostValues = 512;
const longestValue = 128;
const compiledPatterns = new Map<string, Pattern>();

/** Compiles a pattern with RE2, which never takes more than linear time, whoever wrote the pattern. */
export function compilePattern(text: string): Pattern {
  const known = compiledPatterns.get(text);
  if (known !== undefined) return known;
  const pattern = compile(text);
  if (compiledPatterns.size >= mostPatterns) compiledPatterns.clear();
  compiledPatterns.set(text, pattern);
  return pattern;
}

function compile(text: string): Pattern {
  try {
    const expression = RE2JS.compile(text);
    return { kind: "valid", text, matches: remembering((value) => expression.test(value)) };
  } catch (error) {
    return { kind: "broken", text, why: describeError(error) };
  }
}

function remembering(matches: (value: string) => boolean): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const answer = known.get(value);
    if (answer !== undefined) return answer;
    const fresh = matches(value);
    if (value.length > longestValue) return fresh;
    if (known.size >= mostValues) known.clear();
    known.set(value, fresh);
    return fresh;
  };
}
