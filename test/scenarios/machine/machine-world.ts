import { Cluster, defaultFeatureGates, Machine, MachineDeployment, MachineDrainRule, MachineSet } from "#api";
import { minutes } from "#base";
import { definitionsInMemory } from "#contract";
import { defineKind, type KubeObject, s } from "#machinery";
import { createMachineWakers, machine } from "#reconcilers/machine";
import { scenario, type World } from "#testkit";
import type { TestContext } from "vitest";

/** The infrastructure of some provider: it says whatever a test makes it say. */
export const TestMachine = providerKind("infrastructure.cluster.x-k8s.io", "TestMachine");

/** The bootstrap config of some provider. */
export const TestConfig = providerKind("bootstrap.cluster.x-k8s.io", "TestConfig");

function providerKind(group: string, kind: string) {
  return defineKind({
    group,
    version: "v1beta2",
    kind,
    plural: `${kind.toLowerCase()}s`,
    description: "An object of a provider that exists in tests alone.",
    labels: { "cluster.x-k8s.io/v1beta2": "v1beta2" },
    hasStatus: true,
    fields: { spec: s.anything().optional(), status: s.anything().optional() },
  });
}

const kinds = [Cluster, Machine, MachineDeployment, MachineSet, MachineDrainRule, TestMachine, TestConfig];

const gracePeriod = minutes(5);

/** A world in which Machines are reconciled, and whose manager connects to their workload clusters. */
export async function machineWorld(t: TestContext): Promise<World> {
  return await scenario(t, {
    kinds,
    manager: { cacheKinds: [definitionsInMemory] },
    async controllers(manager, { clusterCache }) {
      const connections = await clusterCache();
      const machines = await manager.caches.of(Machine);
      const { access, sources } = createMachineWakers({ clusterCache: connections, machines, gracePeriod });
      manager.add(machine, {
        workload: access,
        remoteConditionsGracePeriod: gracePeriod,
        syncedLabels: () => false,
        syncedAnnotations: () => false,
        features: defaultFeatureGates,
        sources,
      });
    },
  });
}

/** A Cluster whose infrastructure is there and whose control plane is initialized, unless told otherwise. */
export function aCluster(
  name: string,
  {
    now,
    provisioned = true,
    initialized = true,
  }: {
    readonly now: string;
    readonly provisioned?: boolean;
    readonly initialized?: boolean;
  },
): KubeObject {
  const condition = {
    type: "ControlPlaneInitialized",
    status: "True",
    reason: "Initialized",
    message: "",
    lastTransitionTime: now,
  };
  const status = {
    initialization: { infrastructureProvisioned: provisioned },
    ...(initialized ? { conditions: [condition] } : {}),
  };
  const cluster = {
    apiVersion: Cluster.apiVersion,
    kind: "Cluster",
    metadata: { name },
    spec: { controlPlaneEndpoint: { host: "cluster.test", port: 6443 } },
    status,
  };
  return cluster;
}

/** A Machine of a Cluster, with an infrastructure machine of the same name. */
export function aMachine(
  name: string,
  cluster: string,
  {
    metadata = {},
    spec = {},
  }: {
    readonly metadata?: object;
    readonly spec?: object;
  } = {},
): KubeObject {
  const object = {
    apiVersion: Machine.apiVersion,
    kind: "Machine",
    metadata: { name, ...metadata },
    spec: {
      clusterName: cluster,
      bootstrap: { dataSecretName: "data" },
      infrastructureRef: { apiGroup: TestMachine.group, kind: "TestMachine", name },
      ...spec,
    },
  };
  return object;
}

/** An infrastructure machine; with a provider id it is provisioned. */
export function anInfrastructure(name: string, providerID?: string): KubeObject {
  const object = {
    apiVersion: TestMachine.apiVersion,
    kind: "TestMachine",
    metadata: { name },
    ...(providerID === undefined ? {} : { spec: { providerID }, status: { initialization: { provisioned: true } } }),
  };
  return object;
}
