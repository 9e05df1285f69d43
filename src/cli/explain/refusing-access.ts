import { NothingIsChangedError } from "../errors.ts";

/** What would change something, or ask somebody to. */
export function refusingAccess(): never {
  throw new NothingIsChangedError("explain changes nothing and calls no extension");
}
