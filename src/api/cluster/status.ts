import { s } from "#machinery";
import { conditions, deprecatedWithFailure } from "../shapes/condition.ts";
import { failureDomains } from "../shapes/failure-domain.ts";
import { replicaCounts } from "../shapes/machine.ts";
import { observedGeneration } from "../shapes/texts.ts";

const machineCounts = s.object({
  desiredReplicas: s.integer().describe("How many machines there shall be.").optional(),
  ...replicaCounts,
});

/** What is known about a Cluster. */
export const clusterStatus = s
  .object(
    {
      conditions,
      initialization: s
        .object(
          {
            infrastructureProvisioned: s
              .boolean()
              .describe("True once the infrastructure of the cluster is there.")
              .optional(),
            controlPlaneInitialized: s
              .boolean()
              .describe("True once the API server of the cluster has answered for the first time.")
              .optional(),
          },
          { minProperties: 1 },
        )
        .describe("What has been reached for the first time; later failures do not reset it.")
        .optional(),
      controlPlane: machineCounts.describe("The machines of the control plane.").optional(),
      workers: machineCounts.describe("The machines of the workers.").optional(),
      failureDomains: failureDomains.describe("The failure domains that the infrastructure offers.").optional(),
      phase: s
        .enumOf(["Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"])
        .describe("How far the cluster has come, in one word.")
        .optional(),
      observedGeneration: observedGeneration.optional(),
      deprecated: deprecatedWithFailure,
    },
    { minProperties: 1 },
  )
  .describe("What the controllers have found out.");
