import { CapstanError } from "#base";

/** A file or folder that cannot be read. */
export class UnreadableSourceError extends CapstanError {
  readonly code = "UNREADABLE_SOURCE";
}

/** Files in which there is nothing to check. */
export class NothingToLintError extends CapstanError {
  readonly code = "NOTHING_TO_LINT";
}

/** Something is wrong with what was checked; what, was printed before. */
export class LintError extends CapstanError {
  readonly code = "LINT_FAILED";
}
