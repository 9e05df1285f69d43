import { finds, holds, mirrored, nothing, row, Unknown, False } from "#conditions";
import type { ClusterFacts, ProviderLookup } from "./facts.ts";

/** Which object of a provider is meant, and whether it had done its first work. */
export interface ProviderView {
  readonly lookup: ProviderLookup;
  /** True once the object had provisioned or initialized what it is for. */
  readonly once: boolean;
}

/** The object is not named yet: a topology will name it. */
export function unnamedRows(what: string, view: (facts: ClusterFacts) => ProviderView) {
  const unnamed = (facts: ClusterFacts) => view(facts).lookup.kind === "unreferenced" && facts.cluster.hasTopology;
  return [
    row({
      id: "topology-deleting",
      when: holds(
        `${what} is not named, the Cluster has a topology and is deleting`,
        (facts: ClusterFacts) => unnamed(facts) && facts.cluster.deleting,
      ),
      ensure: nothing("it will not be made any more"),
      report: False("ObjectDoesNotExist"),
    }),
    row({
      id: "waiting-for-topology",
      when: holds(`${what} is not named, the Cluster has a topology`, unnamed),
      ensure: nothing("the topology names it"),
      report: False("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
    }),
  ];
}

/** The object is there: what it says of itself, whatever its reason. */
export function reportedRows(what: string, view: (facts: ClusterFacts) => ProviderView) {
  return [
    row({
      id: "invalid",
      when: finds(`the conditions of ${what} cannot be read`, (facts: ClusterFacts) => {
        const { lookup } = view(facts);
        if (lookup.kind !== "found" || lookup.condition.kind !== "invalid") return undefined;
        return { error: lookup.condition.error };
      }),
      ensure: nothing("its provider has to mend it"),
      report: (conditions) => Unknown("InvalidConditionReported", conditions.error),
    }),
    row({
      id: "reported",
      when: finds(`${what} reports it itself`, (facts: ClusterFacts) => {
        const { lookup } = view(facts);
        return lookup.kind === "found" && lookup.condition.kind === "reported" ? lookup.condition : undefined;
      }),
      ensure: nothing("mirror the condition"),
      report: (condition) => mirrored(condition),
    }),
  ];
}

/** The object could not be read, or is not there. */
export function missingRows(what: string, view: (facts: ClusterFacts) => ProviderView) {
  const absent = (facts: ClusterFacts, { deleting, once }: { readonly deleting: boolean; readonly once: boolean }) => {
    const { lookup, once: was } = view(facts);
    if (lookup.kind !== "absent" || facts.cluster.deleting !== deleting || was !== once) return undefined;
    return { kind: lookup.objectKind };
  };
  return [
    row({
      id: "unreadable",
      when: finds(`${what} could not be read`, (facts: ClusterFacts) => {
        const { lookup } = view(facts);
        return lookup.kind === "failed" ? { error: lookup.error } : undefined;
      }),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "deleted-with-cluster",
      when: finds(`${what} is absent after its work was done, the Cluster is deleting`, (facts: ClusterFacts) =>
        absent(facts, { deleting: true, once: true }),
      ),
      ensure: nothing("it went with its Cluster"),
      report: (object) => False("ObjectDeleted", `${object.kind} has been deleted`),
    }),
    row({
      id: "deleted-under-cluster",
      when: finds(`${what} is absent after its work was done`, (facts: ClusterFacts) =>
        absent(facts, { deleting: false, once: true }),
      ),
      ensure: nothing("an object deleted by hand does not come back"),
      report: (object) => False("ObjectDeleted", `${object.kind} has been deleted while the cluster still exists`),
    }),
    row({
      id: "does-not-exist",
      when: finds(`${what} is absent and never did its work`, (facts: ClusterFacts) => {
        const { deleting } = facts.cluster;
        return absent(facts, { deleting, once: false });
      }),
      ensure: nothing("waiting for somebody to create it"),
      report: (object) => False("ObjectDoesNotExist", `${object.kind} does not exist`),
    }),
  ];
}

/** The kind of an object that is there and says nothing of itself. */
export function silentKind({ lookup }: ProviderView): { readonly kind: string } | undefined {
  return lookup.kind === "found" && lookup.condition.kind === "silent" ? { kind: lookup.objectKind } : undefined;
}
