import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfSpec, conditionColumn, paused, replicaColumns, textColumn } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecatedConditions, deprecatedCounts, deprecatedText } from "./shapes/condition.ts";
import { maxInFlight } from "./shapes/health-check.ts";
import { machineNaming, machineTemplate, replicaCounts, setDeletion } from "./shapes/machine.ts";
import { labelSelector } from "./shapes/metadata.ts";
import { rollout } from "./shapes/rollout.ts";
import { clusterName, name, observedGeneration, replicas } from "./shapes/texts.ts";

const machineDeploymentStatus = s
  .object(
    {
      conditions,
      observedGeneration: observedGeneration.optional(),
      selector: name(4096).describe("The selector as text, for autoscalers.").optional(),
      ...replicaCounts,
      phase: s
        .enumOf(["ScalingUp", "ScalingDown", "Running", "Failed", "Unknown"])
        .describe("What the deployment is doing, in one word.")
        .optional(),
      deprecated: s
        .object({
          v1beta1: s
            .object({
              conditions: deprecatedConditions,
              ...deprecatedCounts,
              updatedReplicas: s.integer().describe("Machines with the wished spec.").optional(),
              unavailableReplicas: s.integer().describe("Machines that are still needed.").optional(),
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

/** Keeps a number of equal Machines and replaces them when their spec changes. */
export const MachineDeployment = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "MachineDeployment",
  plural: "machinedeployments",
  shortNames: ["md"],
  categories: [category],
  description: "Keeps a number of equal Machines and replaces them when their spec changes.",
  columns: [
    clusterOfSpec,
    conditionColumn("Available", "Available"),
    ...replicaColumns,
    paused,
    textColumn("Phase", ".status.phase"),
    age,
    textColumn("Version", ".spec.template.spec.version"),
  ],
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
        replicas: replicas
          .describe("How many machines there shall be; from the autoscaler's annotations or 1 if not set.")
          .optional(),
        rollout: rollout.optional(),
        selector: labelSelector.describe(
          "The Machines that belong to the deployment; the template's labels must match.",
        ),
        template: machineTemplate,
        machineNaming: machineNaming.optional(),
        remediation: s
          .object({ maxInFlight: maxInFlight.optional() }, { minProperties: 1 })
          .describe("How unhealthy machines are replaced.")
          .optional(),
        deletion: setDeletion.optional(),
        paused: s.boolean().describe("True stops rollouts; scaling goes on.").optional(),
      })
      .describe("What is wished."),
    status: machineDeploymentStatus.optional(),
  },
});

export type MachineDeployment = ObjectOf<typeof MachineDeployment>;
