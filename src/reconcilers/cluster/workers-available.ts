import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { descendantsUnmerged, mergedIs, mergedMessage, nothingToMerge } from "./merged.ts";

/** Tells whether every group of workers has the replicas that it needs. */
export const WorkersAvailable = defineCondition({
  of: "Cluster",
  type: "WorkersAvailable",
  summary:
    "Tells whether every group of workers, MachineDeployment or MachinePool, is available; Machines alone do not count.",
  reasons: ["Available", "NotAvailable", "AvailableUnknown", "NoWorkers", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("descendants could not be read or merged", descendantsUnmerged("workersAvailable")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-workers",
      when: holds("there is no MachineDeployment and no MachinePool", nothingToMerge("workersAvailable")),
      ensure: nothing("nothing to aggregate"),
      report: True("NoWorkers"),
    }),
    row({
      id: "not-available",
      when: finds("some group of workers reports Available=False", mergedIs("workersAvailable", "False")),
      ensure: nothing("aggregate"),
      report: (sources) => False("NotAvailable", sources.message),
    }),
    row({
      id: "unknown",
      when: finds(
        "some group of workers reports Available=Unknown or does not report it",
        mergedIs("workersAvailable", "Unknown"),
      ),
      ensure: nothing("aggregate"),
      report: (sources) => Unknown("AvailableUnknown", sources.message),
    }),
  ],
  otherwise: otherwise({
    id: "available",
    when: "every group of workers reports Available=True",
    sees: mergedMessage("workersAvailable"),
    ensure: nothing("aggregate"),
    report: (sources) => True("Available", sources.message),
  }),
});
