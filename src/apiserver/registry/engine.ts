import type { Clock } from "#base";
import type { Admission, Caller } from "#apiserver/admission";
import type { Committer } from "#apiserver/collection";
import type { Store } from "#apiserver/store";
import type { CallOptions, KubeObject } from "#machinery";
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
  readonly ownership: Ownership;
}

/** Who wants something of which resource. */
export interface Request<Options extends CallOptions> {
  readonly target: Target;
  readonly caller: Caller;
  readonly options: Options;
}

/** Keeps account of who set which field. */
export interface Ownership {
  /** The `managedFields` of an object after a create, update or patch, before anything else may change it. */
  track(change: {
    readonly target: Target;
    readonly object: KubeObject;
    readonly old: KubeObject | undefined;
    readonly manager: string;
    readonly subresource: string;
  }): KubeObject;
}

/** The parts of a request's name that need not be given. */
export function subresourceOf(options: { readonly subresource?: string }): string {
  return options.subresource ?? "";
}
