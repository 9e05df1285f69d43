import { CapstanError } from "#base";

/** Conditions of an object that cannot be read. */
export class MalformedConditionsError extends CapstanError {
  readonly code = "MALFORMED_CONDITIONS";
}

/** Another writer changed a condition that this writer changed too and does not own. */
export class ConditionConflictError extends CapstanError {
  readonly code = "CONDITION_CONFLICT";
}

/** A condition cannot be computed from what was handed in. */
export class ConditionInputError extends CapstanError {
  readonly code = "CONDITION_INPUT";
}

/** Facts, read from a file, that do not have the shape that a table asks for. */
export class InvalidFactsError extends CapstanError {
  readonly code = "INVALID_FACTS";
}

/** A table of rows that does not keep the rules of tables. */
export class ConditionTableError extends CapstanError {
  readonly code = "CONDITION_TABLE";
  override readonly terminal = true;
}

/** A fact that nobody knows was asked for: explain says so instead of guessing. */
export class UnknownFactError extends CapstanError {
  readonly code = "UNKNOWN_FACT";
  readonly fact: string;

  constructor(fact: string) {
    super(`${fact} is not known`);
    this.fact = fact;
  }
}
