import { CapstanError } from "#base";

/** A Machine that cannot be updated in place, although somebody asked for it. */
export class InPlaceUpdateError extends CapstanError {
  readonly code = "IN_PLACE_UPDATE_IMPOSSIBLE";
}
