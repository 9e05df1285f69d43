import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfSpec, paused, replicaColumns, textColumn } from "./columns.ts";
import { category, groups } from "./groups.ts";
import {
  conditions,
  deprecatedConditions,
  deprecatedCounts,
  deprecatedFailure,
  deprecatedText,
} from "./shapes/condition.ts";
import { machineNaming, machineTemplate, replicaCounts, setDeletion } from "./shapes/machine.ts";
import { labelSelector } from "./shapes/metadata.ts";
import { clusterName, name, observedGeneration, replicas } from "./shapes/texts.ts";

const machineSetStatus = s
  .object(
    {
      conditions,
      selector: name(4096).describe("The selector as text, for autoscalers.").optional(),
      ...replicaCounts,
      observedGeneration: observedGeneration.optional(),
      deprecated: s
        .object({
          v1beta1: s
            .object({
              conditions: deprecatedConditions,
              ...deprecatedFailure,
              ...deprecatedCounts,
              fullyLabeledReplicas: s.integer().describe("Machines with all labels of the template.").optional(),
            })
            .describe(deprecatedText)
            .optional(),
        })
        .describe("Fields for readers of older API versions.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("What the controller has found out.");

/** Keeps a number of equal Machines. */
export const MachineSet = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "MachineSet",
  plural: "machinesets",
  shortNames: ["ms"],
  categories: [category],
  description: "Keeps a number of equal Machines; MachineDeployments make them.",
  columns: [clusterOfSpec, ...replicaColumns, paused, age, textColumn("Version", ".spec.template.spec.version")],
  hasStatus: true,
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
  fields: {
    spec: s
      .object({
        clusterName,
        replicas: replicas.describe("How many machines there shall be; 1 if not set.").optional(),
        selector: labelSelector.describe("The Machines that belong to the set; the template's labels must match."),
        template: machineTemplate,
        machineNaming: machineNaming.optional(),
        deletion: setDeletion.optional(),
      })
      .describe("What is wished."),
    status: machineSetStatus.optional(),
  },
});

export type MachineSet = ObjectOf<typeof MachineSet>;
