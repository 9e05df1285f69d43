import { CapstanError } from "#base";

/** A pass that did not end in time; it was abandoned, and whatever it still tries to do is refused. */
export class PassDeadlineError extends CapstanError {
  readonly code = "PASS_DEADLINE_EXCEEDED";
}
