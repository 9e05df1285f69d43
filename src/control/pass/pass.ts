import type { Clock, Logger } from "#base";
import type { Client } from "#client";
import type { KubeObject } from "#machinery";
import type { Reader } from "../reader.ts";
import type { WatchFor } from "../watches.ts";
import type { MetadataDraft, SpecDraft, StatusDraft } from "./draft.ts";

/**
 * One reconcile of one object, as its steps see it. What they change of `metadata`, `spec` and `status` is written at the
 * end, once; everything else they write themselves, through `client`.
 */
export interface Pass<Obj extends KubeObject, Facts, Ports> {
  /** As it was read, or as a step has written it since; frozen. */
  readonly object: Obj;
  /**
   * Takes an object that a step has written itself for the one that the pass is about: its generation is what conditions
   * observe, and what stands on it need not be written again. To be called before any part of it was drafted.
   */
  readonly renew: (object: Obj) => void;
  readonly metadata: MetadataDraft;
  readonly spec: SpecDraft<Obj>;
  readonly status: StatusDraft<Obj>;
  /** What is known so far; `learn` replaces it, so ask the pass again after learning. */
  readonly facts: Facts;
  readonly learn: (facts: Readonly<Partial<Facts>>) => void;
  /** Reads from the caches, where they have the kind; never older than what this process wrote. */
  readonly reader: Reader;
  /** Writes to the API server and reads from it. */
  readonly client: PassClient;
  readonly ports: Ports;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends when the time of the pass is over, or when this process may no longer act. */
  readonly signal: AbortSignal;
  readonly events: EventSink;
  /** Wakes the reconciler for objects of a kind that was not known before; asked again for the same, it does nothing. */
  readonly watch: WatchFor;
  /** Tells the lines of one pass from those of the others. */
  readonly reconcileId: string;
}

/** The client of a pass: every call ends with the pass. */
export type PassClient = Pick<
  Client,
  | "get"
  | "find"
  | "list"
  | "listAll"
  | "create"
  | "update"
  | "patch"
  | "apply"
  | "delete"
  | "deleteAll"
  | "updateStatus"
  | "patchStatus"
  | "applyStatus"
  | "scale"
  | "setReplicas"
>;

/** Tells people what happens to an object, as Events beside it. */
export interface EventSink {
  /** About the object of the pass, unless another is named. Returns at once. */
  record(type: "Normal" | "Warning", reason: string, message: string, about?: KubeObject): void;
}
