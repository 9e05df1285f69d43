import { s, type ValueOf } from "#machinery";
import { conditionGates } from "./condition.ts";
import { templateMetadata } from "./metadata.ts";
import { contractReference } from "./references.ts";
import {
  clusterName,
  failureDomainName,
  kubernetesVersion,
  minReadySeconds,
  name,
  providerID,
  seconds,
} from "./texts.ts";

const taint = s.object({
  key: s
    .string({
      minLength: 1,
      maxLength: 317,
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$",
    })
    .describe("The key of the taint."),
  value: s
    .string({ minLength: 1, maxLength: 63, pattern: "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$" })
    .describe("The value of the taint.")
    .optional(),
  effect: s
    .enumOf(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .describe("What happens to Pods that do not tolerate it."),
  propagation: s
    .enumOf(["Always", "OnInitialization"])
    .describe("Always keeps the taint on the Node, OnInitialization sets it once."),
});

/** A taint for the Node of a machine. */
export type MachineTaint = ValueOf<typeof taint>;

/** Taints for the Nodes of machines. */
export const taints = s
  .list(taint, { key: ["key", "effect"], minItems: 1, maxItems: 64 })
  .describe("Taints for the Node.");

/** How long the steps of deleting a machine may take. */
export const deletionTimeouts = {
  nodeDrainTimeoutSeconds: seconds
    .describe("How long draining the Node may take; 0 or not set waits as long as it takes.")
    .optional(),
  nodeVolumeDetachTimeoutSeconds: seconds
    .describe("How long to wait for volumes to be detached; 0 or not set waits as long as it takes.")
    .optional(),
  nodeDeletionTimeoutSeconds: seconds
    .describe("How long deleting the Node is tried after the machine is gone; 0 tries for ever, 10 if not set.")
    .optional(),
};

/** How a machine is taken down. */
export const machineDeletion = s
  .object(deletionTimeouts, { minProperties: 1 })
  .describe("How long the steps of deleting a machine may take.");

/** Which machines go first on a scale-down. */
export const deletionOrder = s
  .enumOf(["Random", "Newest", "Oldest"])
  .describe("Which machines go first when there are too many; Random if not set.");

/** Which machines of a set go first. */
export const setDeletion = s
  .object({ order: deletionOrder.optional() }, { minProperties: 1 })
  .describe("How machines are chosen for deletion.");

/** How the machines of a set are named. */
export const machineNaming = s
  .object(
    {
      template: name(256)
        .describe(
          "A template for names with .cluster.name, .machineSet.name and .random, which must be in it; " +
            "{{ .machineSet.name }}-{{ .random }} if not set.",
        )
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("How machines are named.");

/** Conditions that count towards a Machine being ready. */
export const readinessGates = conditionGates.describe(
  "Further conditions of the Machine that count towards its Ready condition.",
);

/** What is wished for one machine. */
export const machineSpec = s.object({
  clusterName,
  bootstrap: s
    .object({
      configRef: contractReference.describe("The object that makes the bootstrap data.").optional(),
      dataSecretName: s
        .string({ minLength: 0, maxLength: 253 })
        .describe("The Secret with bootstrap data, where no configRef makes it.")
        .optional(),
    })
    .describe("How the machine becomes a Node: configRef or dataSecretName."),
  infrastructureRef: contractReference.describe("The object that makes the machine itself."),
  version: kubernetesVersion.optional(),
  providerID: providerID.optional(),
  failureDomain: failureDomainName.optional(),
  minReadySeconds: minReadySeconds.optional(),
  readinessGates: readinessGates.optional(),
  deletion: machineDeletion.optional(),
  taints: taints.optional(),
});

/** What is wished for one machine. */
export type MachineSpec = ValueOf<typeof machineSpec>;

/** The machines that a set, a deployment or a pool makes. */
export const machineTemplate = s
  .object({
    metadata: templateMetadata.optional(),
    spec: machineSpec.describe("What is wished for each machine."),
  })
  .describe("The machines to make.");

const machineAddress = s.object({
  type: s
    .enumOf(["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"])
    .describe("What kind of address it is."),
  address: name(256).describe("The address."),
});

/** The addresses of a machine. */
export const machineAddresses = s.list(machineAddress);

/** The same, replaced whole. */
export const atomicMachineAddresses = s
  .list(machineAddress, { type: "atomic", maxItems: 256 })
  .describe("The addresses of the machine.");

/** How far bootstrap and infrastructure of a machine have come. */
export const machineInitialization = s
  .object(
    {
      infrastructureProvisioned: s
        .boolean()
        .describe("True once the infrastructure provider has made the machine.")
        .optional(),
      bootstrapDataSecretCreated: s
        .boolean()
        .describe("True once the bootstrap provider has made the bootstrap data.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("What has been reached for the first time; later failures do not reset it.");

/** Counts of machines in a status. */
export const replicaCounts = {
  replicas: s.integer().describe("How many machines there are.").optional(),
  readyReplicas: s.integer().describe("How many of them are ready.").optional(),
  availableReplicas: s.integer().describe("How many of them are available.").optional(),
  upToDateReplicas: s.integer().describe("How many of them have the wished spec.").optional(),
};
