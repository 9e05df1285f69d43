import { CapstanError } from "#base";

/** A command was called with arguments that do not go together. */
export class UsageError extends CapstanError {
  readonly code = "USAGE";
}

/** A table that does not exist. */
export class UnknownTableError extends CapstanError {
  readonly code = "UNKNOWN_TABLE";
}

/** A file that cannot be read, or that is neither YAML nor JSON. */
export class UnreadableFileError extends CapstanError {
  readonly code = "UNREADABLE_FILE";
}

/** Something that the demo promised did not happen. */
export class DemoError extends CapstanError {
  readonly code = "DEMO_FAILED";
}
