import { s, type ValueOf } from "#machinery";
import { deploymentClassHealthCheck } from "../shapes/health-check.ts";
import { deletionOrder, deletionTimeouts, machineDeletion, readinessGates, taints } from "../shapes/machine.ts";
import { templateMetadata } from "../shapes/metadata.ts";
import { templateReference } from "../shapes/references.ts";
import { rolloutStrategy } from "../shapes/rollout.ts";
import { failureDomainName, minReadySeconds, name } from "../shapes/texts.ts";

/** What names a template. */
export const classTemplate = { templateRef: templateReference };

/** How objects of a class are named. */
export const naming = s.object(
  {
    template: name(1024)
      .describe("A template for names with .cluster.name and .random; for workers also their topologyName.")
      .optional(),
  },
  { minProperties: 1 },
);

const workerFields = {
  metadata: templateMetadata.optional(),
  class: name(256).describe("The name of the class, which topologies refer to."),
  bootstrap: s.object(classTemplate).describe("How machines become Nodes."),
  infrastructure: s.object(classTemplate).describe("The machines themselves."),
  naming: naming.describe("How the objects are named.").optional(),
  minReadySeconds: minReadySeconds.optional(),
  taints: taints.optional(),
};

const machineDeploymentClass = s.object({
  ...workerFields,
  healthCheck: deploymentClassHealthCheck.optional(),
  failureDomain: failureDomainName.optional(),
  deletion: s
    .object({ order: deletionOrder.optional(), ...deletionTimeouts }, { minProperties: 1 })
    .describe("How machines are chosen for deletion and how long its steps may take.")
    .optional(),
  readinessGates: readinessGates.optional(),
  rollout: s
    .object({ strategy: rolloutStrategy.optional() }, { minProperties: 1 })
    .describe("How machines are replaced.")
    .optional(),
});

/** A class of MachineDeployments. */
export type MachineDeploymentClass = ValueOf<typeof machineDeploymentClass>;

const machinePoolClass = s.object({
  ...workerFields,
  failureDomains: s
    .list(name(256), { type: "atomic", maxItems: 100 })
    .describe("The failure domains to spread the machines over.")
    .optional(),
  deletion: machineDeletion.optional(),
});

/** A class of MachinePools. */
export type MachinePoolClass = ValueOf<typeof machinePoolClass>;

/** The classes of workers. */
export const workers = s
  .object(
    {
      machineDeployments: s
        .list(machineDeploymentClass, { key: "class", minItems: 1, maxItems: 100 })
        .describe("The classes of MachineDeployments that a topology can use.")
        .optional(),
      machinePools: s
        .list(machinePoolClass, { key: "class", minItems: 1, maxItems: 100 })
        .describe("The classes of MachinePools that a topology can use.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("The workers.");
