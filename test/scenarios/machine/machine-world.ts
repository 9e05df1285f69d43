import { Cluster, defaultFeatureGates, labels, Machine, MachineDeployment, MachineDrainRule, MachineSet } from "#api";
import { minutes } from "#base";
import { definitionsInMemory } from "#contract";
import type { Manager } from "#control";
import { defineKind, type KubeObject, s } from "#machinery";
import { createMachineWakers, machine, type MachinePorts } from "#reconcilers/machine";
import { scenario, type ScenarioOptions, type WorkloadCluster, type World, type WorldTools } from "#testkit";
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

/** What a world of Machines has besides what all of them have. */
export interface MachineWorldOptions extends Pick<ScenarioOptions, "manager" | "plugins" | "settling"> {
  readonly kinds?: ScenarioOptions["kinds"];
  /** Makes ports that are not the usual ones. */
  readonly ports?: (manager: Manager, world: WorldTools) => Partial<MachinePorts>;
}

/** A world in which Machines are reconciled, and whose manager connects to their workload clusters. */
export async function machineWorld(
  t: TestContext,
  { manager: options, kinds: more = [], ports = () => ({}), ...rest }: MachineWorldOptions = {},
): Promise<World> {
  return await scenario(t, {
    ...rest,
    kinds: [...kinds, ...more],
    manager: { cacheKinds: [definitionsInMemory], ...options },
    async controllers(manager, world) {
      const connections = await world.clusterCache();
      const machines = await manager.caches.of(Machine);
      const { access, sources } = createMachineWakers({ clusterCache: connections, machines, gracePeriod });
      manager.add(machine, {
        workload: access,
        remoteConditionsGracePeriod: gracePeriod,
        syncedLabels: () => false,
        syncedAnnotations: () => false,
        features: defaultFeatureGates,
        sources,
        ...ports(manager, world),
      });
    },
  });
}

/** A Cluster that is reached, with a control plane Machine and a Machine `m1`, whose Node `n1` is ready. */
export async function withReadyNode(
  t: TestContext,
  { manager = {}, ...rest }: MachineParts & { readonly manager?: ScenarioOptions["manager"] } = {},
): Promise<World> {
  const world = await machineWorld(t, { manager });
  const workload = await world.workload("c1");
  await workload.addNode("n0", "test://0");
  await workload.addNode("n1", "test://1");
  await world.apply(
    aCluster("c1", world),
    anInfrastructure("cp", "test://0"),
    aMachine("cp", "c1", { metadata: { labels: { [labels.controlPlane]: "" } } }),
    anInfrastructure("m1", "test://1"),
    aMachine("m1", "c1", rest),
  );
  await world.settle();
  return world;
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

/** What a Machine has besides what all of them have. */
export interface MachineParts {
  readonly metadata?: object;
  readonly spec?: object;
}

/** A Machine of a Cluster, with an infrastructure machine of the same name. */
export function aMachine(name: string, cluster: string, { metadata = {}, spec = {} }: MachineParts = {}): KubeObject {
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

/** A bootstrap config, whose data is there. */
export function aConfig(name: string): KubeObject {
  const object = {
    apiVersion: TestConfig.apiVersion,
    kind: "TestConfig",
    metadata: { name },
    status: { initialization: { dataSecretCreated: true }, dataSecretName: "data" },
  };
  return object;
}

const Pod = { group: "", version: "v1", kind: "Pod" } as const;
const Budget = { group: "policy", version: "v1", kind: "PodDisruptionBudget" } as const;

/** A Pod on a Node, which does not end before `endPod` lets it. */
export async function addPod({ client }: WorkloadCluster, name: string, nodeName: string): Promise<void> {
  const metadata = { namespace: "default", name, labels: { app: name }, finalizers: ["test.capstan.dev/hold"] };
  const spec = { nodeName, containers: [{ name: "c", image: "i" }] };
  await client.create(Pod, { ...typeOf(Pod), metadata, spec });
  await client.patchStatus(
    Pod,
    { namespace: "default", name },
    { kind: "merge", patch: { status: { phase: "Running" } } },
  );
}

/** Lets a Pod that was asked to leave be gone. */
export async function endPod({ client }: WorkloadCluster, name: string): Promise<void> {
  const patch = { metadata: { finalizers: null } };
  await client.patch(Pod, { namespace: "default", name }, { kind: "merge", patch });
}

/** Says how many Pods of a name may go. */
export async function setBudget({ client }: WorkloadCluster, name: string, disruptionsAllowed: number): Promise<void> {
  const key = { namespace: "default", name };
  if ((await client.find(Budget, key)) === undefined) {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: name } } };
    await client.create(Budget, { ...typeOf(Budget), metadata: key, spec });
  }
  const status = { observedGeneration: 1, disruptionsAllowed, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 };
  await client.patchStatus(Budget, key, { kind: "merge", patch: { status } });
}

function typeOf({ group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string }) {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind };
}
