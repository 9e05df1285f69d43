import type { Timestamp } from "#base";
import {
  type Condition,
  type ConditionSource,
  type OwnedCondition,
  type Priority,
  sourceOf,
  type Status,
} from "#conditions";

/** The inputs of the operations on conditions, as the vectors record them; what they have as null is left out. */
export interface RecordedInputs {
  readonly set: Timed & {
    readonly generation?: number;
    readonly conditions?: readonly RecordedCondition[];
    readonly set: RecordedCondition;
  };
  readonly delete: { readonly conditions?: readonly RecordedCondition[]; readonly delete: readonly string[] };
  readonly newPatch: BeforeAndAfter;
  readonly patchApply: BeforeAndAfter &
    Timed & {
      readonly latest?: readonly RecordedCondition[];
      readonly options?: { readonly forceOverwrite?: boolean; readonly ownedConditionTypes?: readonly string[] };
    };
  readonly mirror: {
    readonly object?: RecordedObject;
    readonly sourceConditionType: string;
    readonly options?: { readonly targetConditionType?: string; readonly fallbackCondition?: RecordedCondition };
  };
  readonly aggregate: {
    readonly objects: readonly RecordedObject[];
    readonly sourceConditionType: string;
    readonly options?: {
      readonly targetConditionType?: string;
      readonly negativePolarityConditionTypes?: readonly string[];
      readonly mergeStrategy?: RecordedStrategy;
    };
  };
  readonly summary: {
    readonly object: RecordedObject;
    readonly targetConditionType: string;
    readonly options?: {
      readonly forConditionTypes?: readonly string[];
      readonly negativePolarityConditionTypes?: readonly string[];
      readonly ignoreTypesIfMissing?: readonly string[];
      readonly overrideConditions?: readonly RecordedCondition[];
      readonly mergeStrategy?: RecordedStrategy;
    };
  };
  readonly defaultMergePriority: Polarised & { readonly condition: RecordedCondition };
  readonly summaryMessage: Polarised & Owned & { readonly status: Status };
  readonly aggregateMessages: Polarised &
    Owned & {
      readonly n: number;
      readonly dropEmpty?: boolean;
      readonly otherMessages?: Readonly<Partial<Record<Priority, string>>>;
    };
  readonly sortConditions: Owned & { readonly orderedConditionTypes: readonly string[] };
  readonly splitConditionsByPriority: Polarised & Owned;
  readonly sortMessage: {
    readonly mustGoFirst: Readonly<Record<string, boolean>>;
    readonly priorities: Readonly<Record<string, Priority>>;
    readonly objects: Readonly<Record<string, readonly string[]>>;
  };
  readonly sortObj: { readonly controlPlaneMachines: readonly string[] };
  readonly defaultSort: { readonly types: readonly string[] };
  readonly unstructuredGetAll: { readonly object: unknown };
  readonly unstructuredGet: { readonly object: unknown; readonly conditionType: string };
}

/** A condition of an input: what is absent is empty. */
export interface RecordedCondition extends Partial<Omit<Condition, "type" | "status" | "lastTransitionTime">> {
  readonly type: string;
  readonly status: Status;
  readonly lastTransitionTime?: Timestamp;
}

/** A merge strategy, written down. */
export interface RecordedStrategy {
  readonly targetConditionHasPositivePolarity?: boolean;
  readonly priorityNegativePolarityTypes?: readonly string[];
  readonly reasons?: { readonly issue: string; readonly unknown: string; readonly info: string };
  readonly summaryMessageTransform?: "toLowerCase";
}

interface BeforeAndAfter {
  readonly before?: readonly RecordedCondition[];
  readonly after?: readonly RecordedCondition[];
}

interface Timed {
  /** Absent where the file has it. */
  readonly now?: Timestamp;
}

interface Polarised {
  readonly negativePolarityConditionTypes?: readonly string[];
}

interface Owned {
  readonly conditions: readonly (RecordedCondition & Pick<OwnedCondition, "owner">)[];
}

interface RecordedObject {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: { readonly conditions?: readonly RecordedCondition[] };
}

/** A condition with what an input leaves out. */
export function conditionFrom(condition: RecordedCondition): Condition {
  return { reason: "", message: "", ...condition };
}

/** A condition with the object that reports it. */
export function ownedFrom(condition: Owned["conditions"][number]): OwnedCondition {
  return { ...conditionFrom(condition), owner: condition.owner };
}

/** An object as a source of conditions. */
export function sourceFrom({ kind = "", metadata = {}, status }: RecordedObject = {}): ConditionSource {
  return sourceOf({ kind, metadata }, (status?.conditions ?? []).map(conditionFrom));
}
