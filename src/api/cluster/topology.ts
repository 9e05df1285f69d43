import { s, type ValueOf } from "#machinery";
import { controlPlaneHealthCheck, deploymentHealthCheck } from "../shapes/health-check.ts";
import { deletionOrder, deletionTimeouts, machineDeletion, readinessGates, taints } from "../shapes/machine.ts";
import { templateMetadata } from "../shapes/metadata.ts";
import { rollout, rolloutAfter } from "../shapes/rollout.ts";
import {
  failureDomainName,
  kubernetesVersion,
  minReadySeconds,
  name,
  namespaceName,
  objectName,
  replicas,
  subdomainPattern,
} from "../shapes/texts.ts";

const variable = s.object({
  name: name(256).describe("The name of the variable, one that the ClusterClass defines."),
  value: s.anything().describe("The value, of the type that the ClusterClass asks for: a text, a number, an object."),
});

/** The value of a variable in a topology. */
export type ClusterVariable = ValueOf<typeof variable>;

const variables = s.list(variable, { key: "name", minItems: 1, maxItems: 1000 });

const overrides = s
  .object(
    { overrides: variables.describe("Variables with other values than in the rest of the cluster.").optional() },
    { minProperties: 1 },
  )
  .describe("Variables that differ here from the rest of the cluster.");

const topologyName = s
  .string({ minLength: 1, maxLength: 63, pattern: subdomainPattern })
  .describe("A name for it within the topology; it becomes part of the names of the objects.");

const workerReplicas = replicas.describe(
  "How many machines there shall be; if not set, an autoscaler or somebody else decides.",
);

const controlPlane = s
  .object(
    {
      metadata: templateMetadata.optional(),
      replicas: replicas
        .describe("How many control plane machines there shall be; the provider decides if not set.")
        .optional(),
      rollout: s
        .object({ after: rolloutAfter.optional() }, { minProperties: 1 })
        .describe("When machines are replaced.")
        .optional(),
      healthCheck: controlPlaneHealthCheck.optional(),
      deletion: machineDeletion.optional(),
      taints: taints.optional(),
      readinessGates: readinessGates.optional(),
      variables: overrides.optional(),
    },
    { minProperties: 1 },
  )
  .describe("The control plane.");

const machineDeployment = s.object({
  metadata: templateMetadata.optional(),
  class: name(256).describe("The class of MachineDeployments, one that the ClusterClass defines."),
  name: topologyName,
  failureDomain: failureDomainName.optional(),
  replicas: workerReplicas.optional(),
  healthCheck: deploymentHealthCheck.optional(),
  deletion: s
    .object({ order: deletionOrder.optional(), ...deletionTimeouts }, { minProperties: 1 })
    .describe("How machines are chosen for deletion and how long its steps may take.")
    .optional(),
  taints: taints.optional(),
  minReadySeconds: minReadySeconds.optional(),
  readinessGates: readinessGates.optional(),
  rollout: rollout.optional(),
  variables: overrides.optional(),
});

/** A MachineDeployment of a topology. */
export type MachineDeploymentTopology = ValueOf<typeof machineDeployment>;

const machinePool = s.object({
  metadata: templateMetadata.optional(),
  class: name(256).describe("The class of MachinePools, one that the ClusterClass defines."),
  name: topologyName,
  failureDomains: s
    .list(name(256), { type: "atomic", minItems: 1, maxItems: 100 })
    .describe("The failure domains to spread the machines over.")
    .optional(),
  deletion: machineDeletion.optional(),
  taints: taints.optional(),
  minReadySeconds: minReadySeconds.optional(),
  replicas: workerReplicas.optional(),
  variables: overrides.optional(),
});

/** A MachinePool of a topology. */
export type MachinePoolTopology = ValueOf<typeof machinePool>;

/** A cluster in the terms of its ClusterClass. */
export const topology = s
  .object({
    classRef: s
      .object({
        name: objectName.describe("The name of the ClusterClass."),
        namespace: namespaceName
          .describe("The namespace of the ClusterClass; that of the Cluster if not set.")
          .optional(),
      })
      .describe("The ClusterClass that the cluster is made from."),
    version: kubernetesVersion.describe("The Kubernetes version of the whole cluster, such as v1.34.1."),
    controlPlane: controlPlane.optional(),
    workers: s
      .object(
        {
          machineDeployments: s
            .list(machineDeployment, { key: "name", minItems: 1, maxItems: 2000 })
            .describe("Groups of workers whose machines Cluster API replaces.")
            .optional(),
          machinePools: s
            .list(machinePool, { key: "name", minItems: 1, maxItems: 2000 })
            .describe("Groups of workers whose machines the infrastructure replaces.")
            .optional(),
        },
        { minProperties: 1 },
      )
      .describe("The workers.")
      .optional(),
    variables: variables
      .describe("Values for the variables of the ClusterClass; those left out have the default of the class, if any.")
      .optional(),
  })
  .describe("The cluster in the terms of a ClusterClass; everything else is made from it.");

/** A cluster in the terms of its ClusterClass. */
export type Topology = ValueOf<typeof topology>;
