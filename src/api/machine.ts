import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfSpec, conditionColumn, onlyWide, paused, textColumn } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecatedWithFailure } from "./shapes/condition.ts";
import { atomicMachineAddresses, machineInitialization, machineSpec } from "./shapes/machine.ts";
import { nameReference } from "./shapes/references.ts";
import { failureDomainName, observedGeneration } from "./shapes/texts.ts";

const nodeInfo = s
  .object({
    machineID: s.string().describe("The ID of the machine."),
    systemUUID: s.string().describe("The UUID of the system."),
    bootID: s.string().describe("The ID of the last boot."),
    kernelVersion: s.string().describe("The version of the kernel."),
    osImage: s.string().describe("The operating system, as it names itself."),
    containerRuntimeVersion: s.string().describe("The container runtime and its version."),
    kubeletVersion: s.string().describe("The version of the kubelet."),
    kubeProxyVersion: s.string().describe("Not used any more."),
    operatingSystem: s.string().describe("The operating system, such as linux."),
    architecture: s.string().describe("The processor architecture, such as amd64."),
    swap: s
      .object({ capacity: s.integer({ format: "int64" }).describe("The size of the swap space in bytes.").optional() })
      .describe("The swap space of the Node.")
      .optional(),
  })
  .describe("What the Node reports about itself.");

const machineStatus = s
  .object(
    {
      conditions,
      initialization: machineInitialization.optional(),
      nodeRef: nameReference.describe("The Node that the machine has become.").optional(),
      nodeInfo: nodeInfo.optional(),
      lastUpdated: s.time().describe("When the phase last changed.").optional(),
      failureDomain: failureDomainName.describe("The failure domain that the machine is in.").optional(),
      addresses: atomicMachineAddresses.optional(),
      phase: s
        .enumOf([
          "Pending",
          "Provisioning",
          "Provisioned",
          "Running",
          "Updating",
          "Deleting",
          "Deleted",
          "Failed",
          "Unknown",
        ])
        .describe("How far the machine has come, in one word.")
        .optional(),
      certificatesExpiryDate: s.time().describe("When the certificates of a control plane machine expire.").optional(),
      observedGeneration: observedGeneration.optional(),
      deletion: s
        .object({
          nodeDrainStartTime: s.time().describe("When draining the Node began.").optional(),
          waitForNodeVolumeDetachStartTime: s.time().describe("When waiting for volumes began.").optional(),
        })
        .describe("How far the deletion has come.")
        .optional(),
      deprecated: deprecatedWithFailure,
    },
    { minProperties: 1 },
  )
  .describe("What the controller has found out.");

/** One machine that is, or becomes, a Node of a workload cluster. */
export const Machine = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "Machine",
  plural: "machines",
  shortNames: ["ma"],
  categories: [category],
  description: "One machine that is, or becomes, a Node of a workload cluster.",
  columns: [
    clusterOfSpec,
    textColumn("Node Name", ".status.nodeRef.name"),
    onlyWide(textColumn("Provider ID", ".spec.providerID")),
    textColumn("Failure domain", ".status.failureDomain"),
    conditionColumn("Ready", "Ready"),
    conditionColumn("Available", "Available"),
    conditionColumn("Up-to-date", "UpToDate"),
    onlyWide(textColumn("Internal-IP", '.status.addresses[?(@.type=="InternalIP")].address')),
    onlyWide(textColumn("External-IP", '.status.addresses[?(@.type=="ExternalIP")].address')),
    onlyWide(textColumn("OS-Image", ".status.nodeInfo.osImage")),
    paused,
    textColumn("Phase", ".status.phase"),
    age,
    textColumn("Version", ".spec.version"),
  ],
  hasStatus: true,
  fields: { spec: machineSpec.describe("What is wished."), status: machineStatus.optional() },
});

export type Machine = ObjectOf<typeof Machine>;
