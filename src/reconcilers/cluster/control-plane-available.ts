import { defineCondition, False, finds, holds, nothing, otherwise, row, True, Unknown } from "#conditions";
import { missingRows, type ProviderView, reportedRows, silentKind } from "#contract";
import type { ClusterFacts } from "./facts.ts";
import { descendantsUnmerged, mergedIs, nothingToMerge } from "./merged.ts";
import { unnamedRows } from "./unnamed-rows.ts";

const what = "the control plane object";

const machines = "controlPlaneMachinesAvailable";

/** Mirrors Available of the control plane object, or judges the control plane Machines where there is no such object. */
export const ControlPlaneAvailable = defineCondition({
  of: "Cluster",
  type: "ControlPlaneAvailable",
  summary:
    "Mirrors the Available condition of the control plane object; without one, the control plane Machines are judged.",
  reasons: [
    "Available",
    "NotAvailable",
    "InvalidConditionReported",
    "InternalError",
    "ObjectDoesNotExist",
    "ObjectDeleted",
  ],
  rows: [
    ...unnamedRows(what, (facts: ClusterFacts) => facts.controlPlane),
    ...reportedRows({ what, view: controlPlane }),
    row({
      id: "initialized",
      when: finds(`${what} reports no Available, and it is initialized`, silent({ initialized: true })),
      ensure: nothing("status.initialization stands for the condition"),
      report: True("Available"),
    }),
    row({
      id: "not-initialized",
      when: finds(`${what} reports no Available, and it is not initialized`, silent({ initialized: false })),
      ensure: nothing("waiting for the control plane provider"),
      report: (object) =>
        False("NotAvailable", `${object.kind} status.initialization.controlPlaneInitialized is false`),
    }),
    ...missingRows({ what, owner: "cluster", view: controlPlane }),
    // From here on there is no control plane object: its Machines are judged (decision D14).
    row({
      id: "machines-unreadable",
      when: finds("the control plane Machines could not be read", descendantsUnmerged(machines)),
      ensure: nothing("the step that failed has logged the error"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "no-machines",
      when: holds("there is no control plane Machine", nothingToMerge(machines)),
      ensure: nothing("waiting for the first one"),
      report: False("NotAvailable", "Waiting for a control plane Machine"),
    }),
    row({
      id: "machines-available",
      when: finds("every control plane Machine reports Available=True", mergedIs(machines, "True")),
      ensure: nothing("aggregate"),
      report: True("Available"),
    }),
  ],
  otherwise: otherwise({
    id: "machines-not-available",
    when: "some control plane Machine is not available",
    sees: (facts: ClusterFacts) =>
      mergedIs(machines, "False")(facts) ?? mergedIs(machines, "Unknown")(facts) ?? { message: "" },
    ensure: nothing("aggregate"),
    report: (sources) => False("NotAvailable", sources.message),
  }),
});

function controlPlane({ controlPlane: lookup, cluster }: ClusterFacts): ProviderView {
  return { lookup, once: cluster.controlPlaneInitialized, deleting: cluster.deleting };
}

function silent({ initialized }: { readonly initialized: boolean }) {
  return (facts: ClusterFacts) =>
    facts.cluster.controlPlaneInitialized === initialized ? silentKind(controlPlane(facts)) : undefined;
}
