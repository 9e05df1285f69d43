import { defineCondition, False, finds, holds, nothing, otherwise, row, True } from "#conditions";
import type { ClusterFacts, DeletionFacts } from "./facts.ts";

/** Tells how far the Cluster is on its way out, and what it waits for. */
export const Deleting = defineCondition({
  of: "Cluster",
  type: "Deleting",
  polarity: "negative",
  summary: "Tells whether the Cluster is being deleted, and what is still there.",
  reasons: [
    "NotDeleting",
    "WaitingForBeforeDeleteHook",
    "WaitingForWorkersDeletion",
    "WaitingForControlPlaneDeletion",
    "WaitingForInfrastructureDeletion",
    "DeletionCompleted",
    "InternalError",
  ],
  rows: [
    row({
      id: "not-deleting",
      when: holds("the Cluster is not being deleted", ({ cluster }: ClusterFacts) => !cluster.deleting),
      ensure: nothing("nobody asked for it"),
      report: False("NotDeleting"),
    }),
    row({
      id: "failed",
      when: finds("a step of the deletion failed", stage("failed")),
      ensure: nothing("the step is tried again"),
      report: (failure) => True("InternalError", failure.error),
    }),
    row({
      id: "waiting-for-hook",
      when: finds("the BeforeClusterDelete hook holds the deletion back", stage("waiting-for-hook")),
      ensure: nothing("the hook decides"),
      report: (hook) => True("WaitingForBeforeDeleteHook", hook.message),
    }),
    row({
      id: "waiting-for-workers",
      when: finds("workers are still there", stage("waiting-for-workers")),
      ensure: nothing("the workers were asked to go"),
      report: (workers) => True("WaitingForWorkersDeletion", workers.remaining),
    }),
    row({
      id: "waiting-for-control-plane",
      when: finds("the control plane is still there", stage("waiting-for-control-plane")),
      ensure: nothing("the control plane was asked to go"),
      report: (controlPlane) => True("WaitingForControlPlaneDeletion", controlPlane.remaining),
    }),
    row({
      id: "waiting-for-infrastructure",
      when: finds("the infrastructure object is still there", stage("waiting-for-infrastructure")),
      ensure: nothing("the infrastructure object was asked to go"),
      report: (infrastructure) => True("WaitingForInfrastructureDeletion", infrastructure.remaining),
    }),
  ],
  otherwise: otherwise({
    id: "completed",
    when: "nothing is left",
    ensure: nothing("the finalizer is taken off"),
    report: True("DeletionCompleted", "Deletion completed"),
  }),
});

function stage<Kind extends DeletionFacts["kind"]>(kind: Kind) {
  return ({ deletion }: ClusterFacts): Extract<DeletionFacts, { readonly kind: Kind }> | undefined =>
    isStage(deletion, kind) ? deletion : undefined;
}

function isStage<Kind extends DeletionFacts["kind"]>(
  deletion: DeletionFacts,
  kind: Kind,
): deletion is Extract<DeletionFacts, { readonly kind: Kind }> {
  return deletion.kind === kind;
}
