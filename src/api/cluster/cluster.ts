import { defineKind, type ObjectOf, s } from "#machinery";
import { age, conditionColumn, countColumn, onlyWide, paused, textColumn } from "../columns.ts";
import { category, groups } from "../groups.ts";
import { conditionGates } from "../shapes/condition.ts";
import { controlPlaneEndpoint } from "../shapes/failure-domain.ts";
import { contractReference } from "../shapes/references.ts";
import { name } from "../shapes/texts.ts";
import { clusterStatus } from "./status.ts";
import { topology } from "./topology.ts";

const addressRanges = s.object({
  cidrBlocks: s
    .list(s.string({ minLength: 1, maxLength: 43 }), { type: "atomic", minItems: 1, maxItems: 100 })
    .describe("Address ranges such as 192.168.0.0/16."),
});

const clusterNetwork = s
  .object(
    {
      apiServerPort: s
        .integer({ minimum: 1, maximum: 65535 })
        .describe("The port that the API servers listen on; 6443 if not set.")
        .optional(),
      services: addressRanges.describe("The addresses of Services.").optional(),
      pods: addressRanges.describe("The addresses of Pods.").optional(),
      serviceDomain: name(253).describe("The domain of Services; cluster.local if not set.").optional(),
    },
    { minProperties: 1 },
  )
  .describe("The network of the workload cluster.");

const clusterSpec = s
  .object(
    {
      paused: s.boolean().describe("True stops reconciling the Cluster and everything that belongs to it.").optional(),
      clusterNetwork: clusterNetwork.optional(),
      controlPlaneEndpoint: controlPlaneEndpoint.optional(),
      controlPlaneRef: contractReference
        .describe("The object that runs the control plane; written for you if there is a topology.")
        .optional(),
      infrastructureRef: contractReference
        .describe("The object that makes the infrastructure; written for you if there is a topology.")
        .optional(),
      topology: topology.optional(),
      availabilityGates: conditionGates
        .describe("Further conditions of the Cluster that count towards its Available condition.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("What is wished.");

/** A workload cluster. */
export const Cluster = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  shortNames: ["cl"],
  categories: [category],
  description: "A workload cluster.",
  columns: [
    textColumn("ClusterClass", ".spec.topology.classRef.name"),
    conditionColumn("Available", "Available"),
    ...machineCounts("CP", ".status.controlPlane"),
    ...machineCounts("W", ".status.workers"),
    paused,
    textColumn("Phase", ".status.phase"),
    age,
    textColumn("Version", ".spec.topology.version"),
  ],
  hasStatus: true,
  fields: { spec: clusterSpec, status: clusterStatus.optional() },
});

export type Cluster = ObjectOf<typeof Cluster>;

function machineCounts(prefix: string, path: string) {
  return [
    countColumn(`${prefix} Desired`, `${path}.desiredReplicas`),
    onlyWide(countColumn(`${prefix} Current`, `${path}.replicas`)),
    onlyWide(countColumn(`${prefix} Ready`, `${path}.readyReplicas`)),
    countColumn(`${prefix} Available`, `${path}.availableReplicas`),
    countColumn(`${prefix} Up-to-date`, `${path}.upToDateReplicas`),
  ];
}
