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
import { machineInitialization, machineTemplate, replicaCounts } from "./shapes/machine.ts";
import { objectReference } from "./shapes/references.ts";
import { clusterName, name, observedGeneration, providerID, replicas } from "./shapes/texts.ts";

const phases = [
  "Pending",
  "Provisioning",
  "Provisioned",
  "Running",
  "ScalingUp",
  "ScalingDown",
  "Scaling",
  "Deleting",
  "Failed",
  "Unknown",
] as const;

const machinePoolStatus = s
  .object(
    {
      conditions,
      initialization: machineInitialization.optional(),
      nodeRefs: s
        .list(objectReference, { type: "atomic", maxItems: 10_000 })
        .describe("The Nodes of the pool.")
        .optional(),
      ...replicaCounts,
      phase: s.enumOf(phases).describe("How far the pool has come, in one word.").optional(),
      observedGeneration: observedGeneration.optional(),
      deprecated: s
        .object({
          v1beta1: s
            .object({
              conditions: deprecatedConditions,
              ...deprecatedFailure,
              ...deprecatedCounts,
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

/** A number of equal machines that the infrastructure itself scales. */
export const MachinePool = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "MachinePool",
  plural: "machinepools",
  shortNames: ["mp"],
  categories: [category],
  description: "A number of equal machines that the infrastructure itself scales.",
  columns: [
    clusterOfSpec,
    ...replicaColumns,
    paused,
    textColumn("Phase", ".status.phase"),
    age,
    textColumn("Version", ".spec.template.spec.version"),
  ],
  hasStatus: true,
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  fields: {
    spec: s
      .object({
        clusterName,
        replicas: replicas
          .describe("How many machines there shall be; from the autoscaler's annotations or 1 if not set.")
          .optional(),
        template: machineTemplate,
        providerIDList: s
          .list(providerID, { type: "atomic", maxItems: 10_000 })
          .describe("The machines of the pool, as the infrastructure provider names them.")
          .optional(),
        failureDomains: s
          .list(name(256), { type: "atomic", maxItems: 100 })
          .describe("The failure domains to spread the machines over.")
          .optional(),
      })
      .describe("What is wished."),
    status: machinePoolStatus.optional(),
  },
});

export type MachinePool = ObjectOf<typeof MachinePool>;
