import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True } from "#conditions";
import type { DeletionFacts, MachineFacts } from "./machine-facts.ts";

/** Tells how far the Machine is on its way out, and what it waits for. */
export const Deleting = defineCondition({
  of: "Machine",
  type: "Deleting",
  polarity: "negative",
  summary: "Tells whether the Machine is being deleted, at which stage it is, and what blocks it.",
  reasons: [
    "NotDeleting",
    "Deleting",
    "InternalError",
    "WaitingForPreDrainHook",
    "DrainingNode",
    "WaitingForVolumeDetach",
    "WaitingForPreTerminateHook",
    "WaitingForInfrastructureDeletion",
    "WaitingForBootstrapDeletion",
    "DeletingNode",
    "DeletionCompleted",
  ],
  rows: [
    row({
      id: "not-deleting",
      when: holds("the Machine is not being deleted", ({ machine }: MachineFacts) => !machine.deleting),
      ensure: nothing("nobody asked for it"),
      report: False("NotDeleting"),
    }),
    row({
      id: "not-looked-keep",
      when: holds("the deletion was not looked at in this pass", notLooked),
      ensure: nothing("the last known stage stands"),
      report: lastKnown,
    }),
    row({
      id: "failed",
      when: finds("the deletion cannot go on", stage("failed")),
      ensure: nothing("the step is tried again"),
      report: (failure) => True("InternalError", failure.error),
    }),
    row({
      id: "started",
      when: finds("the deletion was only just seen", stage("started")),
      ensure: nothing("the next pass goes on"),
      report: True("Deleting", "Deletion started"),
    }),
    row({
      id: "pre-drain-hooks",
      when: finds("a pre-drain hook is set", hooksOf("pre-drain-hooks")),
      ensure: nothing("whoever set the hook takes it off"),
      report: (waiting) =>
        True("WaitingForPreDrainHook", `Waiting for pre-drain hooks to succeed (hooks: ${waiting.hooks})`),
    }),
    row({
      id: "draining",
      when: finds("the Node is being drained", stage("draining")),
      ensure: nothing("Pods are evicted"),
      report: (drain) => True("DrainingNode", drain.message),
    }),
    row({
      id: "volumes",
      when: finds("volumes are attached to the Node", stage("volumes")),
      ensure: nothing("waiting for them to be detached"),
      report: (volumes) => True("WaitingForVolumeDetach", volumes.message),
    }),
    row({
      id: "pre-terminate-hooks",
      when: finds("a pre-terminate hook is set", hooksOf("pre-terminate-hooks")),
      ensure: nothing("whoever set the hook takes it off"),
      report: (waiting) =>
        True("WaitingForPreTerminateHook", `Waiting for pre-terminate hooks to succeed (hooks: ${waiting.hooks})`),
    }),
    row({
      id: "infrastructure",
      when: finds("the infrastructure machine is still there", stage("infrastructure")),
      ensure: nothing("it was asked to go"),
      report: (object) => True("WaitingForInfrastructureDeletion", object.message),
    }),
    row({
      id: "bootstrap",
      when: finds("the bootstrap config is still there", stage("bootstrap")),
      ensure: nothing("it was asked to go"),
      report: (object) => True("WaitingForBootstrapDeletion", object.message),
    }),
    row({
      id: "node",
      when: finds("the Node is still there", stage("node")),
      ensure: nothing("it is deleted"),
      report: (node) => True("DeletingNode", node.message),
    }),
  ],
  otherwise: otherwise({
    id: "completed",
    when: "nothing is left",
    ensure: nothing("the finalizer is taken off"),
    report: True("DeletionCompleted", "Deletion completed"),
  }),
});

type Stage<Kind extends DeletionFacts["kind"]> = Extract<DeletionFacts, { readonly kind: Kind }>;

function notLooked({ deletion }: MachineFacts): boolean {
  return deletion.kind === "not-looked" || deletion.kind === "not-deleting";
}

function stage<Kind extends DeletionFacts["kind"]>(kind: Kind) {
  return ({ deletion }: MachineFacts): Stage<Kind> | undefined => (isStage(deletion, kind) ? deletion : undefined);
}

function isStage<Kind extends DeletionFacts["kind"]>(deletion: DeletionFacts, kind: Kind): deletion is Stage<Kind> {
  return deletion.kind === kind;
}

function hooksOf(kind: "pre-drain-hooks" | "pre-terminate-hooks") {
  return ({ deletion }: MachineFacts): { readonly hooks: string } | undefined =>
    deletion.kind === kind ? { hooks: deletion.hooks.join(",") } : undefined;
}
