import type { Duration, Next, Timestamp } from "#base";
import type { ObjectKey } from "#machinery";
import type { Verdict } from "./judgement.ts";

/**
 * How a pass ended. `gone`: there is no such object. `paused`: all that was to say is whether it is paused. `leaving`: it
 * goes, and nothing is to be done about it. `failed`: it came to no judgement.
 */
export type PassOutcome = "gone" | "not-ours" | "paused" | "leaving" | "finalizer-added" | "judged" | "failed";

/** What a table decided in a pass. */
export interface TableVerdict extends Verdict {
  /** `Machine.NodeReady` */
  readonly table: string;
  /** The type of the condition. */
  readonly type: string;
}

/** What one pass saw, decided and wrote. */
export interface PassRecord {
  /** The name of the reconciler. */
  readonly reconciler: string;
  readonly key: ObjectKey;
  readonly reconcileId: string;
  readonly at: Timestamp;
  readonly took: Duration;
  readonly outcome: PassOutcome;
  /** Absent where the pass came to none. */
  readonly facts?: object;
  /** Names of facts that acting found out and that no step says it learns: nobody can tell that they are missing. */
  readonly undeclared: readonly string[];
  readonly verdicts: readonly TableVerdict[];
  readonly next: Next;
  /** Everything that went wrong, in the steps, in the tables and when writing. */
  readonly errors: readonly Error[];
  readonly wrote: readonly ("status" | "object")[];
  /** True where a status that only explains was left to be written later. */
  readonly putOff?: boolean;
  /** True where conditions were not written because they are another manager's. */
  readonly leftToOthers?: boolean;
}
