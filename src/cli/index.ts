export { LintError, NothingToLintError, UnreadableSourceError } from "./errors.ts";
export { lint, type LintOptions } from "./lint/lint.ts";
export { lintFiles, type LintReport, type Problem, type SourceFile } from "./lint/lint-files.ts";
