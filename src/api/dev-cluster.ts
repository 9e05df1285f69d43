import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfLabel } from "./columns.ts";
import { category, contractLabels, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { controlPlaneEndpoint, failureDomains } from "./shapes/failure-domain.ts";
import { templateMetadata } from "./shapes/metadata.ts";

const docker = s
  .object({
    failureDomains: failureDomains.describe("The failure domains to pretend to have.").optional(),
    loadBalancer: s
      .object({
        imageRepository: s.string().describe("Where the load balancer's image comes from.").optional(),
        imageTag: s.string().describe("The tag of the load balancer's image.").optional(),
        customHAProxyConfigTemplateRef: s
          .object(
            { name: s.string({ default: "" }).describe("The name of the ConfigMap.").optional() },
            { atomic: true },
          )
          .describe("A ConfigMap with a template for the load balancer's configuration.")
          .optional(),
      })
      .describe("The load balancer in front of the control plane.")
      .optional(),
  })
  .describe("Machines are containers.");

const devClusterSpec = s
  .object({
    controlPlaneEndpoint: controlPlaneEndpoint.optional(),
    backend: s
      .object({
        docker: docker.optional(),
        inMemory: s.object({}).describe("Nothing but memory: machines and workload clusters are simulated.").optional(),
      })
      .describe("What the cluster is made of: docker or inMemory."),
  })
  .describe("What is wished.");

/** The infrastructure of a cluster for development and tests. */
export const DevCluster = defineKind({
  group: groups.infrastructure,
  version: "v1beta2",
  kind: "DevCluster",
  plural: "devclusters",
  categories: [category],
  labels: contractLabels({ v1beta2: ["v1beta2"] }),
  description: "The infrastructure of a cluster for development and tests.",
  columns: [clusterOfLabel, age],
  hasStatus: true,
  fields: {
    spec: devClusterSpec.optional(),
    status: s
      .object({
        conditions,
        initialization: s
          .object(
            { provisioned: s.boolean().describe("True once the infrastructure is there.").optional() },
            { minProperties: 1 },
          )
          .describe("What has been reached for the first time.")
          .optional(),
        failureDomains: failureDomains.describe("The failure domains of the cluster.").optional(),
        deprecated,
      })
      .describe("What the controller has found out.")
      .optional(),
  },
});

export type DevCluster = ObjectOf<typeof DevCluster>;

/** A template for DevClusters. */
export const DevClusterTemplate = defineKind({
  group: groups.infrastructure,
  version: "v1beta2",
  kind: "DevClusterTemplate",
  plural: "devclustertemplates",
  categories: [category],
  labels: contractLabels({ v1beta2: ["v1beta2"] }),
  description: "A template for DevClusters, for ClusterClasses.",
  columns: [age],
  fields: {
    spec: s
      .object({
        template: s
          .object({ metadata: templateMetadata.optional(), spec: devClusterSpec })
          .describe("The DevCluster to make; it cannot be changed."),
      })
      .describe("What is wished.")
      .optional(),
  },
});

export type DevClusterTemplate = ObjectOf<typeof DevClusterTemplate>;
