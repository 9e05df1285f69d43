import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True, Unknown } from "#conditions";
import type { ClusterFacts } from "./facts.ts";
import { descendantsUnread } from "./merged.ts";

/** Tells whether the control plane took its first request; never goes back once it is True. */
export const ControlPlaneInitialized = defineCondition({
  of: "Cluster",
  type: "ControlPlaneInitialized",
  summary: "Tells whether the control plane is initialized; once True, it stays so.",
  reasons: ["Initialized", "NotInitialized", "ObjectDoesNotExist", "InternalError"],
  rows: [
    row({
      id: "initialized-keep",
      when: holds("ControlPlaneInitialized is True", ({ cluster }: ClusterFacts) => cluster.initializedReported),
      ensure: nothing("it happens once"),
      report: lastKnown,
    }),
    row({
      id: "topology-deleting",
      when: holds(
        "the control plane object is not named, the Cluster has a topology and is deleting",
        (facts: ClusterFacts) => unnamed(facts) && facts.cluster.deleting,
      ),
      ensure: nothing("it will not be made any more"),
      report: Unknown("ObjectDoesNotExist"),
    }),
    row({
      id: "waiting-for-topology",
      when: holds("the control plane object is not named, the Cluster has a topology", unnamed),
      ensure: nothing("the topology names it"),
      report: Unknown("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
    }),
    row({
      id: "unreadable",
      when: finds("the control plane object, or what it says of its initialization, could not be read", unreadable),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "does-not-exist",
      when: finds("the control plane object is absent", absent),
      ensure: nothing("waiting for somebody to create it"),
      report: (object) => Unknown("ObjectDoesNotExist", `${object.kind} does not exist`),
    }),
    row({
      id: "initialized",
      when: holds("the control plane object says that it is initialized", says("done")),
      ensure: nothing("status.initialization.controlPlaneInitialized is set with it"),
      report: True("Initialized"),
    }),
    row({
      id: "not-initialized",
      when: holds("the control plane object does not say that it is initialized", says("pending")),
      ensure: nothing("waiting for the control plane provider"),
      report: False("NotInitialized", "Control plane not yet initialized"),
    }),
    row({
      id: "machines-unreadable",
      when: finds("the Machines could not be listed", descendantsUnread),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "first-node",
      when: holds("a control plane Machine has a Node", hasNode),
      ensure: nothing("status.initialization.controlPlaneInitialized is set with it"),
      report: True("Initialized"),
    }),
  ],
  otherwise: otherwise({
    id: "waiting-for-node",
    when: "no control plane Machine has a Node",
    ensure: nothing("waiting for the first Node"),
    report: False("NotInitialized", "Waiting for the first control plane machine to have status.nodeRef set"),
  }),
});

function unnamed({ controlPlane, cluster }: ClusterFacts): boolean {
  return controlPlane.kind === "unreferenced" && cluster.hasTopology;
}

function unreadable({ controlPlane, initialization }: ClusterFacts): { readonly error: string } | undefined {
  if (controlPlane.kind === "failed") return { error: controlPlane.error };
  const isUnclear = initialization.kind === "unreadable" || initialization.kind === "unversioned";
  return isUnclear ? { error: initialization.error } : undefined;
}

function absent({ controlPlane }: ClusterFacts): { readonly kind: string } | undefined {
  return controlPlane.kind === "absent" ? { kind: controlPlane.objectKind } : undefined;
}

function says(kind: "done" | "pending") {
  return ({ initialization }: ClusterFacts): boolean => initialization.kind === kind;
}

function hasNode({ descendants }: ClusterFacts): boolean {
  return descendants.kind === "listed" && descendants.controlPlaneMachineHasNode;
}
