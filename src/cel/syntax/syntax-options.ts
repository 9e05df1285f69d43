import type { MacroTable } from "./macro.ts";

/** What the grammar may use beyond the plain language. */
export interface SyntaxOptions {
  readonly macros: MacroTable;
  /** `a.?b`, `a[?b]`, `[?a]` and `{?a: b}`. */
  readonly optionalSyntax: boolean;
  /** Field names in backquotes. */
  readonly quotedFields: boolean;
  /** How deep an expression may go. */
  readonly deepest?: number;
}
