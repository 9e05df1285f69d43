import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfSpec, countColumn, paused } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { healthChecks, remediation } from "./shapes/health-check.ts";
import { labelSelector } from "./shapes/metadata.ts";
import { anyObjectName, clusterName, observedGeneration } from "./shapes/texts.ts";

const machineHealthCheckStatus = s
  .object(
    {
      conditions,
      expectedMachines: s.integer({ minimum: 0 }).describe("How many machines are looked at.").optional(),
      currentHealthy: s.integer({ minimum: 0 }).describe("How many of them are healthy.").optional(),
      remediationsAllowed: s
        .integer({ minimum: 0 })
        .describe("How many more may become unhealthy before remediation stops.")
        .optional(),
      targets: s
        .list(anyObjectName, { type: "atomic", maxItems: 10_000 })
        .describe("The names of the machines that are looked at.")
        .optional(),
      observedGeneration: observedGeneration.optional(),
      deprecated,
    },
    { minProperties: 1 },
  )
  .describe("What the controller has found out.");

/** Finds unhealthy Machines and has them remediated. */
export const MachineHealthCheck = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "MachineHealthCheck",
  plural: "machinehealthchecks",
  shortNames: ["mhc", "mhcs"],
  categories: [category],
  description: "Finds unhealthy Machines and has them remediated.",
  columns: [
    clusterOfSpec,
    countColumn("Replicas", ".status.expectedMachines"),
    countColumn("Healthy", ".status.currentHealthy"),
    paused,
    age,
  ],
  hasStatus: true,
  fields: {
    spec: s
      .object({
        clusterName,
        selector: labelSelector.describe("The Machines to look at; must not be empty."),
        checks: healthChecks.optional(),
        remediation: remediation.optional(),
      })
      .describe("What is wished."),
    status: machineHealthCheckStatus.optional(),
  },
});

export type MachineHealthCheck = ObjectOf<typeof MachineHealthCheck>;
