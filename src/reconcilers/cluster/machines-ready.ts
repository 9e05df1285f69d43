import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { descendantsUnmerged, mergedIs, mergedMessage, nothingToMerge } from "./merged.ts";

/** Tells whether all control plane Machines are ready. */
export const ControlPlaneMachinesReady = defineCondition({
  of: "Cluster",
  type: "ControlPlaneMachinesReady",
  summary: "Tells whether all control plane Machines are ready.",
  reasons: ["Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("controlPlaneMachinesReady")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-replicas",
      when: holds("there is no control plane Machine", nothingToMerge("controlPlaneMachinesReady")),
      ensure: nothing("nothing to aggregate"),
      report: True("NoReplicas"),
    }),
    row({
      id: "not-ready",
      when: finds("some control plane Machine reports Ready=False", mergedIs("controlPlaneMachinesReady", "False")),
      ensure: nothing("aggregate"),
      report: (machines) => False("NotReady", machines.message),
    }),
    row({
      id: "unknown",
      when: finds(
        "some control plane Machine reports Ready=Unknown or does not report it",
        mergedIs("controlPlaneMachinesReady", "Unknown"),
      ),
      ensure: nothing("aggregate"),
      report: (machines) => Unknown("ReadyUnknown", machines.message),
    }),
  ],
  otherwise: otherwise({
    id: "ready",
    when: "every control plane Machine reports Ready=True",
    sees: mergedMessage("controlPlaneMachinesReady"),
    ensure: nothing("aggregate"),
    report: (machines) => True("Ready", machines.message),
  }),
});

/** Tells whether all worker Machines are ready. */
export const WorkerMachinesReady = defineCondition({
  of: "Cluster",
  type: "WorkerMachinesReady",
  summary: "Tells whether all worker Machines are ready.",
  reasons: ["Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("workerMachinesReady")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-replicas",
      when: holds("there is no worker Machine", nothingToMerge("workerMachinesReady")),
      ensure: nothing("nothing to aggregate"),
      report: True("NoReplicas"),
    }),
    row({
      id: "not-ready",
      when: finds("some worker Machine reports Ready=False", mergedIs("workerMachinesReady", "False")),
      ensure: nothing("aggregate"),
      report: (machines) => False("NotReady", machines.message),
    }),
    row({
      id: "unknown",
      when: finds(
        "some worker Machine reports Ready=Unknown or does not report it",
        mergedIs("workerMachinesReady", "Unknown"),
      ),
      ensure: nothing("aggregate"),
      report: (machines) => Unknown("ReadyUnknown", machines.message),
    }),
  ],
  otherwise: otherwise({
    id: "ready",
    when: "every worker Machine reports Ready=True",
    sees: mergedMessage("workerMachinesReady"),
    ensure: nothing("aggregate"),
    report: (machines) => True("Ready", machines.message),
  }),
});
