import type { Next, Timestamp } from "#base";
import type { ServedKind } from "#client";
import type { Condition, ConditionTable } from "#conditions";
import { fieldAt, type KubeObject, type ObjectKey } from "#machinery";
import { type Judgement, judgementOf, type Seen } from "./pass/judgement.ts";
import type { MetadataDraft, SpecDraft, StatusDraft } from "./pass/draft.ts";
import { type PausedRule, type PausedState, pausedTable } from "./pass/paused.ts";
import type { Step } from "./pass/step.ts";
import type { Predicate } from "./predicates.ts";
import type { Reader } from "./reader.ts";
import type { Watch } from "./watches.ts";

/** What the first facts of a pass are made of, besides the object. */
export interface Given<Ports> {
  readonly now: Timestamp;
  readonly ports: Ports;
}

/** How the conditions of an object are written: over those of others, or only where nobody else owns them. */
export type ConditionWriting = "patch" | "apply-where-free";

/** A reconciler: what it is for, what wakes it, what it can know, what it does, what it reports. */
export interface Reconciler<Obj extends KubeObject, Facts extends object, Ports> {
  readonly name: string;
  readonly kind: ServedKind<Obj>;
  readonly watches: (ports: Ports) => readonly Watch[];
  readonly predicate: Predicate<Obj>;
  readonly isOurs?: (object: Obj) => boolean;
  readonly paused?: PausedDeclaration<Obj>;
  readonly facts: (object: Obj, given: Given<Ports>) => Facts;
  readonly steps: readonly Step<Obj, Facts, Ports>[];
  readonly onDelete: readonly Step<Obj, Facts, Ports>[];
  readonly onGone?: (key: ObjectKey, given: Pick<Given<Ports>, "ports">) => Next | void;
  readonly finalizer?: string;
  readonly withFinalizer?: WithFinalizer<Obj>;
  readonly judgements: readonly Judgement<Obj, Facts>[];
  readonly conclude?: (status: StatusDraft<Obj>, seen: Concluding<Obj, Facts>) => void;
  readonly observesGeneration: boolean;
  readonly conditionWriting: (ports: Ports) => ConditionWriting;
  readonly bookkeeping: readonly string[];
}

/** The parts of an object that a pass may change. */
export interface ObjectDrafts<Obj extends KubeObject> {
  readonly metadata: MetadataDraft;
  readonly spec: SpecDraft<Obj>;
}

/** Whether an object is to be left alone, and the table that reports it. */
export interface PausedDeclaration<Obj extends KubeObject> {
  readonly rule: PausedRule<Obj>;
  readonly judgement: Judgement<Obj, PausedState>;
  /** Whether a change of the condition is all that a pass writes; the write itself brings the next pass. */
  readonly isReportedFirst: boolean;
}

/** What is known when everything is decided. */
export interface Concluding<Obj extends KubeObject, Facts> extends Seen<Obj, Facts> {
  readonly now: Timestamp;
  /** The conditions that this pass has decided, whether they changed or not. */
  readonly decided: readonly Condition[];
}

/**
 * Changes what can be written along with the finalizer, because it is known before anything is done. An object that is
 * paused gets the finalizer alone.
 */
export type WithFinalizer<Obj extends KubeObject> = (
  object: Obj,
  drafts: ObjectDrafts<Obj>,
  looking: { readonly reader: Reader; readonly signal: AbortSignal },
) => void | Promise<void>;

/** How a reconciler is declared. */
export interface ReconcilerDeclaration<Obj extends KubeObject, Facts extends object, Ports> {
  readonly name: string;
  readonly kind: ServedKind<Obj>;
  /** A function of the ports where a port tells what wakes the reconciler, such as a connection that comes and goes. */
  readonly watches?: readonly Watch[] | ((ports: Ports) => readonly Watch[]);
  /** Which changes of the kind's own objects are worth a pass; all unless told otherwise. */
  readonly predicate?: Predicate<Obj>;
  /** Whether an object is to be touched at all, such as once somebody owns it; all are unless told otherwise. */
  readonly isOurs?: (object: Obj) => boolean;
  /** Whether an object is to be left alone; with it the condition Paused is reported. */
  readonly paused?: PausedRule<Obj>;
  /** True where a change of the condition Paused has a pass of its own, as in Cluster API; false unless told otherwise. */
  readonly reportsPausedFirst?: boolean;
  /** What is known before the first step. */
  readonly facts: (object: Obj, given: Given<Ports>) => Facts;
  readonly steps: readonly Step<Obj, Facts, Ports>[];
  /** The way out: each step rests on the one before. When all have ended without a word the finalizer is removed. */
  readonly onDelete?: readonly Step<Obj, Facts, Ports>[];
  /** What is to be forgotten about an object that is not there any more: all that is left of it is its name. */
  readonly onGone?: (key: ObjectKey, given: Pick<Given<Ports>, "ports">) => Next | void;
  /** Holds a deleted object back until `onDelete` is through. */
  readonly finalizer?: string;
  readonly withFinalizer?: WithFinalizer<Obj>;
  /** Judged in this order. */
  readonly conditions: readonly (ConditionTable<Facts> | Judgement<Obj, Facts>)[];
  /** Fills in what else in the status follows from facts and conditions, such as a phase. */
  readonly conclude?: (status: StatusDraft<Obj>, seen: Concluding<Obj, Facts>) => void;
  /** Whether `status.observedGeneration` exists; found out from the schema of a declared kind. */
  readonly observesGeneration?: boolean;
  /** `patch` unless told otherwise. */
  readonly conditionWriting?: (ports: Ports) => ConditionWriting;
  /**
   * Fields of the status that follow from others and that nobody waits for, such as counts: where nothing else is new,
   * a controller with patience writes them later.
   */
  readonly bookkeeping?: readonly string[];
}

/**
 * Declares a reconciler. Nothing runs before it is added to a manager that runs. The ports are those that the steps ask
 * for; where different steps ask for different ones, name them: `defineReconciler<Machine, MachineFacts, MachinePorts>`.
 */
export function defineReconciler<Obj extends KubeObject, Facts extends object, Ports = unknown>(
  declaration: ReconcilerDeclaration<Obj, Facts, Ports>,
): Reconciler<Obj, Facts, Ports> {
  const { kind, watches = [], predicate = () => true, conditions, onDelete = [], bookkeeping = [] } = declaration;
  const { paused, reportsPausedFirst: isReportedFirst = false, ...rest } = declaration;
  const judgement = judgementOf<Obj, PausedState>(pausedTable(kind.kind));
  return {
    conditionWriting: () => "patch",
    ...rest,
    kind,
    ...(paused === undefined ? {} : { paused: { rule: paused, judgement, isReportedFirst } }),
    watches: typeof watches === "function" ? watches : () => watches,
    predicate,
    onDelete,
    bookkeeping: ["observedGeneration", ...bookkeeping],
    judgements: conditions.map((condition) => judgementOf(condition)),
    observesGeneration: declaration.observesGeneration ?? hasObservedGeneration(kind),
  };
}

/** Whether the schema of a declared kind has the field; a field that the server prunes would be written for ever. */
function hasObservedGeneration(kind: object): boolean {
  if (!("schema" in kind) || typeof kind.schema !== "function") return false;
  const schema: unknown = kind.schema();
  return fieldAt(schema, "properties", "status", "properties", "observedGeneration") !== undefined;
}
