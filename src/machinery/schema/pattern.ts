import { describeError } from "#base";
import { RE2JS } from "re2js";

/** A regular expression of a schema, or why it is none. */
export type Pattern =
  | { readonly kind: "valid"; readonly text: string; readonly matches: (value: string) => boolean }
  | { readonly kind: "broken"; readonly text: string; readonly why: string };

// The same few values (condition types, reasons, names of owners) are checked again and again.
const mostRemembered = 512;
const longestRemembered = 128;

/** Compiles a pattern with RE2, which never takes more than linear time, whoever wrote the pattern. */
export function compilePattern(text: string): Pattern {
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
    if (value.length > longestRemembered) return fresh;
    if (known.size >= mostRemembered) known.clear();
    known.set(value, fresh);
    return fresh;
  };
}
