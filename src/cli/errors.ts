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

/** Something would have been changed, or somebody asked, by a command that only looks. */
export class NothingIsChangedError extends CapstanError {
  readonly code = "NOTHING_IS_CHANGED";
}

/** An object, a kind or a condition that is not there. */
export class NotThereError extends CapstanError {
  readonly code = "NOT_THERE";
}

/** A dump that cannot be understood. */
export class InvalidDumpError extends CapstanError {
  readonly code = "INVALID_DUMP";
}
