import type { Cluster, Machine, MachineSet } from "#api";
import type { JsonObject } from "#machinery";

const metadata = { name: "capstan-verify", namespace: "default", uid: "00000000-0000-0000-0000-000000000000" };
const reference = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "capstan-verify" };

const cluster: Cluster = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata, spec: {} };

const machineSpec = { clusterName: metadata.name, bootstrap: { dataSecretName: "none" }, infrastructureRef: reference };

const machine: Machine = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", metadata, spec: machineSpec };

const machineSet: MachineSet = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "MachineSet",
  metadata,
  spec: {
    clusterName: metadata.name,
    selector: { matchLabels: { app: metadata.name } },
    template: { metadata: { labels: { app: metadata.name } }, spec: machineSpec },
  },
};

const provider = (kind: string, spec: object) => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
  kind,
  metadata,
  spec,
});

const inMemory = { backend: { inMemory: {} } };
const machineObjects = { machine, infrastructureMachine: provider("DevMachine", inMemory) };
const machineSetObjects = {
  machineSet,
  infrastructureMachineTemplate: provider("DevMachineTemplate", { template: { spec: inMemory } }),
};

const upgrade = { cluster, fromKubernetesVersion: "v1.34.0", toKubernetesVersion: "v1.35.0" };
const upgraded = { cluster, kubernetesVersion: "v1.35.0" };

/** A small question for every hook, about a cluster that does not exist. */
export const sampleRequests: { readonly [hook: string]: object } = {
  Discovery: {},
  DiscoverVariables: {},
  GeneratePatches: { items: [] },
  ValidateTopology: { items: [] },
  BeforeClusterCreate: { cluster },
  AfterControlPlaneInitialized: { cluster },
  BeforeClusterUpgrade: upgrade,
  BeforeControlPlaneUpgrade: upgrade,
  AfterControlPlaneUpgrade: upgraded,
  BeforeWorkersUpgrade: upgrade,
  AfterWorkersUpgrade: upgraded,
  AfterClusterUpgrade: upgraded,
  BeforeClusterDelete: { cluster },
  GenerateUpgradePlan: {
    cluster,
    fromControlPlaneKubernetesVersion: "v1.34.0",
    fromWorkersKubernetesVersion: "v1.34.0",
    toKubernetesVersion: "v1.35.0",
  },
  CanUpdateMachine: { current: machineObjects, desired: machineObjects },
  CanUpdateMachineSet: { current: machineSetObjects, desired: machineSetObjects },
  UpdateMachine: { desired: machineObjects },
};

/** The question for a hook as plain JSON. */
export function sampleRequest(hook: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the samples above hold nothing but JSON
  return (sampleRequests[hook] ?? {}) as JsonObject;
}
