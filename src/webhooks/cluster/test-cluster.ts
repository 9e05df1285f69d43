import { type Cluster, ClusterClass } from "#api";
import { parseTimestamp } from "#base";
import type { Json, ObjectKey } from "#machinery";
import type { Lookups } from "../lookups.ts";
import { changed, type ReviewCase } from "../test-review.ts";

/** A Cluster with a topology. */
export const cluster: Cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "default", name: "blue" },
  spec: {
    topology: {
      classRef: { name: "quick" },
      version: "v1.34.1",
      workers: { machineDeployments: [{ class: "worker", name: "md" }], machinePools: [{ class: "pool", name: "mp" }] },
    },
  },
};
/** A Cluster without one. */
export const plain: Cluster = {
  ...cluster,
  spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevCluster", name: "blue" } },
};
/** A reference to a template. */
export const reference = (kind: string) => ({ apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2", kind, name: "t" });
/** The class of the topology, reconciled. */
export const clusterClass: ClusterClass = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "ClusterClass",
  metadata: { namespace: "default", name: "quick", generation: 1 },
  spec: {
    infrastructure: { templateRef: reference("DevClusterTemplate") },
    controlPlane: { templateRef: reference("PlaneTemplate") },
    workers: {
      machineDeployments: [
        {
          class: "worker",
          bootstrap: { templateRef: reference("ConfigTemplate") },
          infrastructure: { templateRef: reference("DevMachineTemplate") },
        },
      ],
      machinePools: [
        {
          class: "pool",
          bootstrap: { templateRef: reference("ConfigTemplate") },
          infrastructure: { templateRef: reference("DevMachinePoolTemplate") },
        },
      ],
    },
  },
  status: {
    observedGeneration: 1,
    conditions: [
      {
        type: "VariablesReady",
        status: "True",
        reason: "VariablesReady",
        message: "",
        lastTransitionTime: parseTimestamp("2026-01-01T00:00:00Z"),
      },
    ],
  },
};

/** Topologies are on. */
export const gates = ["ClusterTopology"] as const;
/** A world with that class, changed, and perhaps another one. */
export const classes = (change: Json = {}, other?: Json): Partial<Lookups> => ({
  clusterClass: ({ name }: ObjectKey) =>
    Promise.resolve(
      name === "quick" ? classWith(change) : name === "other" && other !== undefined ? classWith(other) : undefined,
    ),
});
/** A world where topologies are on and the class is there. */
export const known: Pick<ReviewCase, "gates" | "lookups"> = { gates, lookups: classes() };
/** A change to the topology. */
export const topology = (change: Json) => ({ spec: { topology: change } });

function classWith(change: Json): ClusterClass {
  const object = changed(clusterClass, change);
  if (!ClusterClass.is(object)) throw new Error("the change makes it another kind");
  return object;
}
