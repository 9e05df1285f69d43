import { codePoints } from "../values/text.ts";
import type { Expression } from "./ast.ts";
import { TooDeepError } from "./depth-gauge.ts";
import { Parser } from "./parser.ts";
import type { SourceProblem } from "./source.ts";
import type { SyntaxOptions } from "./syntax-options.ts";

const longestExpression = 100_000;

export type Parsed =
  | { readonly kind: "parsed"; readonly expression: Expression }
  | { readonly kind: "refused"; readonly problems: readonly SourceProblem[] };

/** Reads an expression and expands its macros. Size and depth are bounded, whatever the input. */
export function parse(source: string, options: SyntaxOptions): Parsed {
  const size = codePoints(source);
  if (size > longestExpression) {
    return refused(`expression code point size exceeds limit: size: ${size}, limit ${longestExpression}`);
  }
  const parser = new Parser(source, options);
  try {
    const expression = parser.parseAll();
    if (parser.problems.length > 0) return { kind: "refused", problems: parser.problems };
    return { kind: "parsed", expression };
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    return { kind: "refused", problems: [...parser.problemsSoFar, { offset: undefined, message: error.message }] };
  }
}

function refused(message: string): Parsed {
  return { kind: "refused", problems: [{ offset: undefined, message }] };
}
