import type { Timestamp } from "#base";
import { fieldAt, isJsonObject } from "#machinery";

/** What is still in a namespace that is being deleted, counted by resource and by finalizer. */
export interface NamespaceRemains {
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: Timestamp;
}

/** The conditions of such a namespace; one whose status stays keeps its time. */
export function namespaceConditions(
  { resources, finalizers }: NamespaceRemains,
  before: unknown,
  now: Timestamp,
): readonly NamespaceCondition[] {
  const fine = (type: string, reason: string, message: string) => ({ type, status: "False", reason, message }) as const;
  const trouble = (type: string, reason: string, message: string) =>
    ({ type, status: "True", reason, message }) as const;
  const conditions = [
    fine("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    fine(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    fine(
      "NamespaceDeletionContentFailure",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    resources.size === 0
      ? fine("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed")
      : trouble(
          "NamespaceContentRemaining",
          "SomeResourcesRemain",
          `Some resources are remaining: ${counted(resources, "has")}`,
        ),
    finalizers.size === 0
      ? fine("NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished")
      : trouble(
          "NamespaceFinalizersRemaining",
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${counted(finalizers, "in")}`,
        ),
  ];
  return conditions.map((condition) => ({ ...condition, lastTransitionTime: timeOf(condition, before, now) }));
}

function counted(counts: ReadonlyMap<string, number>, word: string): string {
  return [...counts]
    .map(([name, count]) => `${name} ${word} ${count} resource instances`)
    .toSorted()
    .join(", ");
}

function timeOf(
  condition: { readonly type: string; readonly status: string },
  before: unknown,
  now: Timestamp,
): Timestamp {
  const present = Array.isArray(before)
    ? before.find((each) => isJsonObject(each) && each["type"] === condition.type)
    : undefined;
  const time = fieldAt(present, "status") === condition.status ? fieldAt(present, "lastTransitionTime") : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stands in a stored condition was written by this function
  return typeof time === "string" ? (time as Timestamp) : now;
}
