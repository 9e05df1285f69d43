import { CapstanError } from "#base";

/** The server cannot listen where it is told to. */
export class ListenError extends CapstanError {
  readonly code = "CANNOT_LISTEN";
  override readonly terminal = true;
}
