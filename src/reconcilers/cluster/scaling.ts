import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { mergedIs, mergedMessage, nothingToMerge, sourcesUnmerged } from "./merged.ts";

/** Tells whether the control plane or any group of workers is being scaled up. */
export const ScalingUp = defineCondition({
  of: "Cluster",
  type: "ScalingUp",
  polarity: "negative",
  summary: "Tells whether the control plane or any group of workers is being scaled up.",
  reasons: ["ScalingUp", "NotScalingUp", "ScalingUpUnknown", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("control plane or descendants could not be read or merged", sourcesUnmerged("scalingUp")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-sources",
      when: holds("nothing below the Cluster can be scaled", nothingToMerge("scalingUp")),
      ensure: nothing("nothing to aggregate"),
      report: False("NotScalingUp"),
    }),
    row({
      id: "scaling-up",
      when: finds("some source reports ScalingUp=True", mergedIs("scalingUp", "True")),
      ensure: nothing("aggregate"),
      report: (sources) => True("ScalingUp", sources.message),
    }),
    row({
      id: "unknown",
      when: finds("some source reports ScalingUp=Unknown or does not report it", mergedIs("scalingUp", "Unknown")),
      ensure: nothing("aggregate"),
      report: (sources) => Unknown("ScalingUpUnknown", sources.message),
    }),
  ],
  otherwise: otherwise({
    id: "not-scaling-up",
    when: "every source reports ScalingUp=False",
    sees: mergedMessage("scalingUp"),
    ensure: nothing("aggregate"),
    report: (sources) => False("NotScalingUp", sources.message),
  }),
});

/** Tells whether the control plane or any group of workers is being scaled down. */
export const ScalingDown = defineCondition({
  of: "Cluster",
  type: "ScalingDown",
  polarity: "negative",
  summary: "Tells whether the control plane or any group of workers is being scaled down.",
  reasons: ["ScalingDown", "NotScalingDown", "ScalingDownUnknown", "InternalError"],
  rows: [
    row({
      id: "unreadable",
      when: finds("control plane or descendants could not be read or merged", sourcesUnmerged("scalingDown")),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-sources",
      when: holds("nothing below the Cluster can be scaled", nothingToMerge("scalingDown")),
      ensure: nothing("nothing to aggregate"),
      report: False("NotScalingDown"),
    }),
    row({
      id: "scaling-down",
      when: finds("some source reports ScalingDown=True", mergedIs("scalingDown", "True")),
      ensure: nothing("aggregate"),
      report: (sources) => True("ScalingDown", sources.message),
    }),
    row({
      id: "unknown",
      when: finds("some source reports ScalingDown=Unknown or does not report it", mergedIs("scalingDown", "Unknown")),
      ensure: nothing("aggregate"),
      report: (sources) => Unknown("ScalingDownUnknown", sources.message),
    }),
  ],
  otherwise: otherwise({
    id: "not-scaling-down",
    when: "every source reports ScalingDown=False",
    sees: mergedMessage("scalingDown"),
    ensure: nothing("aggregate"),
    report: (sources) => False("NotScalingDown", sources.message),
  }),
});
