import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import type { ClusterFacts } from "./facts.ts";
import { mergedIs, mergeFailed, nothingToMerge, sourcesUnread } from "./merged.ts";

/** The seed fixes this text; the error behind it is in the evidence and in the log. */
const seeLogs = "Please check controller logs for errors";

/** Seed 002. */
export const RollingOut = defineCondition({
  of: "Cluster",
  type: "RollingOut",
  polarity: "negative",
  summary: "Tells whether the control plane or any group of workers is being rolled out.",
  reasons: ["RollingOut", "NotRollingOut", "RollingOutUnknown", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("control plane or descendants could not be read", sourcesUnread),
      ensure: nothing("surface internal error; the step that failed has logged it"),
      report: Unknown("InternalError", seeLogs),
    }),
    row({
      id: "no-sources",
      when: holds(
        "no MachineDeployment, no MachinePool, and no control plane that reports RollingOut",
        nothingToMerge("rollingOut"),
      ),
      ensure: nothing("nothing to aggregate"),
      report: False("NotRollingOut"),
    }),
    row({
      id: "rolling-out",
      when: finds("some source reports RollingOut=True", mergedIs("rollingOut", "True")),
      ensure: nothing("aggregate conditions; rollout in progress"),
      report: (sources) => True("RollingOut", sources.message),
    }),
    row({
      id: "unknown",
      when: finds("some source reports RollingOut=Unknown or does not report it", mergedIs("rollingOut", "Unknown")),
      ensure: nothing("aggregate conditions; surface unknown status"),
      report: (sources) => Unknown("RollingOutUnknown", sources.message),
    }),
    row({
      id: "not-rolling-out",
      when: finds("every source reports RollingOut=False", mergedIs("rollingOut", "False")),
      ensure: nothing("aggregate conditions; no rollout in progress"),
      report: (sources) => False("NotRollingOut", sources.message),
    }),
  ],
  otherwise: otherwise({
    id: "merge-failed",
    when: "internal error during aggregation",
    sees: (facts: ClusterFacts) => mergeFailed("rollingOut")(facts) ?? {},
    ensure: nothing("surface internal error"),
    report: Unknown("InternalError", seeLogs),
  }),
});
