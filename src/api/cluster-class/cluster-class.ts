import { defineKind, type ObjectOf, s, type ValueOf } from "#machinery";
import { age, conditionColumn, paused } from "../columns.ts";
import { category, groups } from "../groups.ts";
import { conditionGates, conditions, deprecated } from "../shapes/condition.ts";
import { controlPlaneClassHealthCheck } from "../shapes/health-check.ts";
import { machineDeletion, readinessGates, taints } from "../shapes/machine.ts";
import { templateMetadata } from "../shapes/metadata.ts";
import { name, observedGeneration } from "../shapes/texts.ts";
import { patches } from "./patch.ts";
import { statusVariables, variables } from "./variable.ts";
import { classTemplate, naming, workers } from "./workers.ts";

const controlPlane = s
  .object({
    ...classTemplate,
    metadata: templateMetadata.optional(),
    machineInfrastructure: s
      .object(classTemplate)
      .describe("The machines of the control plane, where its provider makes Machines.")
      .optional(),
    healthCheck: controlPlaneClassHealthCheck.optional(),
    naming: naming.describe("How the control plane object is named.").optional(),
    deletion: machineDeletion.optional(),
    taints: taints.optional(),
    readinessGates: readinessGates.optional(),
  })
  .describe("The control plane.");

const clusterClassSpec = s
  .object({
    availabilityGates: conditionGates
      .describe("Further conditions that count towards the Available condition of the Clusters.")
      .optional(),
    infrastructure: s
      .object({ ...classTemplate, naming: naming.describe("How the infrastructure object is named.").optional() })
      .describe("The infrastructure that is not machines: networks, load balancers."),
    controlPlane,
    workers: workers.optional(),
    variables: variables.optional(),
    patches: patches.optional(),
    upgrade: s
      .object(
        {
          external: s
            .object(
              {
                generateUpgradePlanExtension: name(512)
                  .describe("The handler that plans the versions between the old and the new one.")
                  .optional(),
              },
              { minProperties: 1 },
            )
            .describe("Runtime extensions that take part.")
            .optional(),
        },
        { minProperties: 1 },
      )
      .describe("How clusters are upgraded.")
      .optional(),
    kubernetesVersions: s
      .list(name(256), { type: "atomic", minItems: 1, maxItems: 100 })
      .describe("The Kubernetes versions that clusters may have, ascending and without a gap in the minor version.")
      .optional(),
  })
  .describe("What is wished.");

/** What clusters of one make have in common. */
export const ClusterClass = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "ClusterClass",
  plural: "clusterclasses",
  shortNames: ["cc"],
  categories: [category],
  description: "What clusters of one make have in common: templates, variables and patches.",
  columns: [paused, conditionColumn("Variables Ready", "VariablesReady"), age],
  hasStatus: true,
  fields: {
    spec: clusterClassSpec,
    status: s
      .object(
        {
          conditions,
          variables: statusVariables.optional(),
          observedGeneration: observedGeneration.optional(),
          deprecated,
        },
        { minProperties: 1 },
      )
      .describe("What the controller has found out.")
      .optional(),
  },
});

export type ClusterClass = ObjectOf<typeof ClusterClass>;

/** What is wished for a ClusterClass. */
export type ClusterClassSpec = ValueOf<typeof clusterClassSpec>;
