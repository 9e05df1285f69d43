import { Cluster, defaultFeatureGates, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { seconds } from "#base";
import type { Condition } from "#conditions";
import { defineKind, type KubeObject, s } from "#machinery";
import { cluster, type ClusterPorts } from "#reconcilers/cluster";
import { scenario, type ScenarioOptions, type World } from "#testkit";
import type { TestContext } from "vitest";

const anything = s.anything();

/** The control plane of some provider: it says whatever a test makes it say. */
export const TestControlPlane = providerKind("controlplane.cluster.x-k8s.io", "TestControlPlane");

/** The infrastructure of some provider. */
export const TestCluster = providerKind("infrastructure.cluster.x-k8s.io", "TestCluster");

function providerKind(group: string, kind: string) {
  return defineKind({
    group,
    version: "v1beta2",
    kind,
    plural: `${kind.toLowerCase()}s`,
    description: "An object of a provider that exists in tests alone.",
    labels: { "cluster.x-k8s.io/v1beta2": "v1beta2" },
    hasStatus: true,
    fields: { spec: anything.optional(), status: anything.optional() },
  });
}

const kinds = [Cluster, Machine, MachineDeployment, MachineSet, MachinePool, TestCluster, TestControlPlane];

/** A world in which Clusters are reconciled; what is known of connections is up to the test. */
export async function clusterWorld(
  t: TestContext,
  ports: Partial<ClusterPorts> = {},
  options: Partial<ScenarioOptions> = {},
): Promise<World> {
  return await scenario(t, {
    kinds,
    controllers: (manager, { clock }) =>
      manager.add(cluster, {
        connectionTo: () => ({ lastProbeSuccess: clock.now(), consecutiveFailures: 0 }),
        remoteConnectionGracePeriod: seconds(50),
        machinePoolsRollOut: true,
        features: defaultFeatureGates,
        sources: [],
        ...ports,
      }),
    ...options,
  });
}

/** A Cluster with provider objects of the same name. */
export function aCluster(name: string, spec: Record<string, unknown> = {}): KubeObject {
  return object(Cluster.apiVersion, "Cluster", name, {
    spec: {
      infrastructureRef: { apiGroup: TestCluster.group, kind: "TestCluster", name },
      controlPlaneRef: { apiGroup: TestControlPlane.group, kind: "TestControlPlane", name },
      ...spec,
    },
  });
}

/** An infrastructure object that has done its work. */
export function anInfrastructure(name: string, status: object = { initialization: { provisioned: true } }): KubeObject {
  return object(TestCluster.apiVersion, "TestCluster", name, {
    spec: { controlPlaneEndpoint: { host: "cluster.test", port: 6443 } },
    status,
  });
}

/** A control plane that has done its work, and says of itself what it is given. */
export function aControlPlane(name: string, ...conditions: readonly Partial<Condition>[]): KubeObject {
  return object(TestControlPlane.apiVersion, "TestControlPlane", name, {
    status: { initialization: { controlPlaneInitialized: true }, conditions: conditions.map(whole) },
  });
}

/** A group of workers that says of itself what it is given. */
export function aMachineDeployment(name: string, clusterName: string, ...conditions: readonly Partial<Condition>[]) {
  return object(MachineDeployment.apiVersion, "MachineDeployment", name, {
    metadata: { labels: { "cluster.x-k8s.io/cluster-name": clusterName } },
    spec: {
      clusterName,
      replicas: 1,
      selector: { matchLabels: { md: name } },
      template: { metadata: { labels: { md: name } }, spec: machineSpec(clusterName, name) },
    },
    ...(conditions.length === 0 ? {} : { status: { conditions: conditions.map(whole) } }),
  });
}

/** A Machine that says of itself what it is given. */
export function aMachine(
  name: string,
  clusterName: string,
  {
    conditions = [],
    labels = {},
    node,
    ...more
  }: {
    readonly conditions?: readonly Partial<Condition>[];
    readonly labels?: Readonly<Record<string, string>>;
    readonly node?: string;
    readonly ownerReferences?: readonly object[];
  } = {},
): KubeObject {
  return object(Machine.apiVersion, "Machine", name, {
    metadata: { labels: { "cluster.x-k8s.io/cluster-name": clusterName, ...labels }, ...more },
    spec: machineSpec(clusterName, name),
    status: { conditions: conditions.map(whole), ...(node === undefined ? {} : { nodeRef: { name: node } }) },
  });
}

function machineSpec(clusterName: string, name: string) {
  return {
    clusterName,
    bootstrap: { dataSecretName: "secret" },
    infrastructureRef: { apiGroup: TestCluster.group, kind: "TestMachine", name },
  };
}

/** A condition with everything that a schema asks for. */
export function whole(condition: Partial<Condition>): object {
  return {
    status: "True",
    reason: "Because",
    message: "",
    lastTransitionTime: "2025-01-15T12:00:00Z",
    ...condition,
  };
}

function object(apiVersion: string, kind: string, name: string, rest: Record<string, unknown>): KubeObject {
  const { metadata = {}, ...fields } = rest;
  return { apiVersion, kind, metadata: { name, ...(typeof metadata === "object" ? metadata : {}) }, ...fields };
}
