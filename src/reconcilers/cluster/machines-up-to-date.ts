import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { descendantsUnmerged, mergedIs, mergedMessage, nothingToMerge } from "./merged.ts";

/** Tells whether all control plane Machines are as they are asked for. */
export const ControlPlaneMachinesUpToDate = defineCondition({
  of: "Cluster",
  type: "ControlPlaneMachinesUpToDate",
  summary: "Tells whether all control plane Machines are as they are asked for.",
  reasons: ["UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("controlPlaneMachinesUpToDate")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-replicas",
      when: holds("there is no control plane Machine that could say", nothingToMerge("controlPlaneMachinesUpToDate")),
      ensure: nothing("nothing to aggregate"),
      report: True("NoReplicas"),
    }),
    row({
      id: "not-up-to-date",
      when: finds(
        "some control plane Machine reports UpToDate=False",
        mergedIs("controlPlaneMachinesUpToDate", "False"),
      ),
      ensure: nothing("aggregate"),
      report: (machines) => False("NotUpToDate", machines.message),
    }),
    row({
      id: "unknown",
      when: finds(
        "some control plane Machine reports UpToDate=Unknown or does not report it",
        mergedIs("controlPlaneMachinesUpToDate", "Unknown"),
      ),
      ensure: nothing("aggregate"),
      report: (machines) => Unknown("UpToDateUnknown", machines.message),
    }),
  ],
  otherwise: otherwise({
    id: "up-to-date",
    when: "every control plane Machine reports UpToDate=True",
    sees: mergedMessage("controlPlaneMachinesUpToDate"),
    ensure: nothing("aggregate"),
    report: (machines) => True("UpToDate", machines.message),
  }),
});

/** Tells whether all worker Machines are as they are asked for. */
export const WorkerMachinesUpToDate = defineCondition({
  of: "Cluster",
  type: "WorkerMachinesUpToDate",
  summary: "Tells whether all worker Machines are as they are asked for.",
  reasons: ["UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("workerMachinesUpToDate")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-replicas",
      when: holds("there is no worker Machine that could say", nothingToMerge("workerMachinesUpToDate")),
      ensure: nothing("nothing to aggregate"),
      report: True("NoReplicas"),
    }),
    row({
      id: "not-up-to-date",
      when: finds("some worker Machine reports UpToDate=False", mergedIs("workerMachinesUpToDate", "False")),
      ensure: nothing("aggregate"),
      report: (machines) => False("NotUpToDate", machines.message),
    }),
    row({
      id: "unknown",
      when: finds(
        "some worker Machine reports UpToDate=Unknown or does not report it",
        mergedIs("workerMachinesUpToDate", "Unknown"),
      ),
      ensure: nothing("aggregate"),
      report: (machines) => Unknown("UpToDateUnknown", machines.message),
    }),
  ],
  otherwise: otherwise({
    id: "up-to-date",
    when: "every worker Machine reports UpToDate=True",
    sees: mergedMessage("workerMachinesUpToDate"),
    ensure: nothing("aggregate"),
    report: (machines) => True("UpToDate", machines.message),
  }),
});
