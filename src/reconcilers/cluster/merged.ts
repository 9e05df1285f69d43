import { describeError } from "#base";
import { aggregateCondition, type ConditionSource, defaultPriority, mergeStrategy, type Status } from "#conditions";
import type { ClusterFacts, DescendantFacts, Merged } from "./facts.ts";

/**
 * Merges one condition of many objects; negative where True of it means that something is going on. Whatever goes wrong,
 * such as conditions that no schema has checked, is a fact: the tables have rows for it.
 */
export function mergeSources(
  sources: readonly ConditionSource[],
  type: string,
  { negative = false }: { readonly negative?: boolean } = {},
): Merged {
  if (sources.length === 0) return { kind: "no-sources" };
  const negativeTypes = negative ? [type] : [];
  try {
    const { status, message } = aggregateCondition(sources, type, {
      negativePolarityConditionTypes: negativeTypes,
      mergeStrategy: mergeStrategy({ targetHasPositivePolarity: !negative, priority: defaultPriority(negativeTypes) }),
    });
    return { kind: "merged", status, message };
  } catch (error) {
    return { kind: "failed", error: `failed to aggregate ${type}: ${describeError(error)}` };
  }
}

type MergedName = {
  [Name in keyof Listed]-?: Listed[Name] extends Merged ? Name : never;
}[keyof Listed];

type Listed = Extract<DescendantFacts, { readonly kind: "listed" }>;

/** What sources say together, as evidence. */
export interface MergedEvidence {
  readonly message: string;
}

/** Holds where the sources together have this status. */
export function mergedIs(name: MergedName, status: Status) {
  return ({ descendants }: ClusterFacts): MergedEvidence | undefined => {
    if (descendants.kind !== "listed") return undefined;
    const merged = descendants[name];
    return merged.kind === "merged" && merged.status === status ? { message: merged.message } : undefined;
  };
}

/** Holds where there is nothing to merge. */
export function nothingToMerge(name: MergedName) {
  return ({ descendants }: ClusterFacts): boolean =>
    descendants.kind === "listed" && descendants[name].kind === "no-sources";
}

/** Holds where the sources could not be merged. */
export function mergeFailed(name: MergedName) {
  return ({ descendants }: ClusterFacts): { readonly error: string } | undefined => {
    if (descendants.kind !== "listed") return undefined;
    const merged = descendants[name];
    return merged.kind === "failed" ? { error: merged.error } : undefined;
  };
}

/** Holds where the objects below the Cluster could not be listed. */
export function descendantsUnread({ descendants }: ClusterFacts): { readonly error: string } | undefined {
  return descendants.kind === "failed" ? { error: descendants.error } : undefined;
}

/** Holds where the control plane or the objects below the Cluster could not be read. */
export function sourcesUnread(facts: ClusterFacts): { readonly error: string } | undefined {
  const { controlPlane } = facts;
  return controlPlane.kind === "failed" ? { error: controlPlane.error } : descendantsUnread(facts);
}

/** Holds where the descendants could not be listed, or not merged. */
export function descendantsUnmerged(name: MergedName) {
  return (facts: ClusterFacts): { readonly error: string } | undefined =>
    descendantsUnread(facts) ?? mergeFailed(name)(facts);
}

/** Holds where the control plane or the descendants could not be read, or not merged. */
export function sourcesUnmerged(name: MergedName) {
  return (facts: ClusterFacts): { readonly error: string } | undefined =>
    sourcesUnread(facts) ?? mergeFailed(name)(facts);
}

/** What the sources have to add where all is well. */
export function mergedMessage(name: MergedName) {
  return ({ descendants }: ClusterFacts): MergedEvidence => {
    const merged = descendants.kind === "listed" ? descendants[name] : undefined;
    return { message: merged?.kind === "merged" ? merged.message : "" };
  };
}
