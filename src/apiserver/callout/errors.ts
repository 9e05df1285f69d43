import { CapstanError } from "#base";

/** A webhook that could not be reached, or whose answer nobody can make sense of; the message is in Kubernetes' words. */
export class CalloutError extends CapstanError {
  readonly code = "CALLOUT_FAILED";
}
