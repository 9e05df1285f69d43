import type { Clock } from "#base";
import type { Admission, Caller } from "#apiserver/admission";
import type { Committer } from "#apiserver/collection";
import type { Store } from "#apiserver/store";
import type { CallOptions } from "#machinery";
import type { Resources, Target } from "./resources.ts";

/** The parts that every operation works with. */
export interface Engine {
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly store: Store;
  readonly committer: Committer;
  readonly resources: Resources;
  readonly admission: Admission;
}

/** Who wants something of which resource. */
export interface Request<Options extends CallOptions> {
  readonly target: Target;
  readonly caller: Caller;
  readonly options: Options;
}

/** The parts of a request's name that need not be given. */
export function subresourceOf(options: { readonly subresource?: string }): string {
  return options.subresource ?? "";
}
