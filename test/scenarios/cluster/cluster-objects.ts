import { Cluster, ClusterClass, Machine, MachineDeployment, type MachinePool, type MachineSet } from "#api";
import type { Condition } from "#conditions";
import { defineKind, type KubeObject, type OwnerReference, s } from "#machinery";

const anything = s.anything();

/** The control plane of some provider: it says whatever a test makes it say. */
export const TestControlPlane = providerKind("controlplane.cluster.x-k8s.io", "TestControlPlane");

/** The infrastructure of some provider. */
export const TestCluster = providerKind("infrastructure.cluster.x-k8s.io", "TestCluster");

/** The control plane of a provider that still follows the older contract. */
export const OldControlPlane = providerKind("controlplane.cluster.x-k8s.io", "OldControlPlane", "v1beta1");

/** The infrastructure of such a provider. */
export const OldCluster = providerKind("infrastructure.cluster.x-k8s.io", "OldCluster", "v1beta1");

function providerKind(group: string, kind: string, contract = "v1beta2") {
  return defineKind({
    group,
    version: "v1beta2",
    kind,
    plural: `${kind.toLowerCase()}s`,
    description: "An object of a provider that exists in tests alone.",
    labels: { [`cluster.x-k8s.io/${contract}`]: "v1beta2" },
    hasStatus: true,
    fields: { spec: anything.optional(), status: anything.optional() },
  });
}

/** A condition, as far as a test cares. */
type Told = Partial<Condition>;

/** What tests say of the metadata of an object. */
interface Marks {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Keeps an object until a test lets go of it. */
export const hold = "test.capstan.dev/hold";

/** A Cluster with provider objects of the same name; a field of null is left out. */
export function aCluster(name: string, spec: Record<string, unknown> = {}, marks: Marks = {}): KubeObject {
  const all = {
    infrastructureRef: { apiGroup: TestCluster.group, kind: "TestCluster", name },
    controlPlaneRef: { apiGroup: TestControlPlane.group, kind: "TestControlPlane", name },
    ...spec,
  };
  const given = Object.entries(all).filter(([, value]) => value !== null);
  return object(Cluster, name, marks, { spec: Object.fromEntries(given) });
}

/** A ClusterClass; nobody makes anything of its templates here. */
export function aClass(name: string, spec: object = {}): KubeObject {
  const template = (group: string, kind: string) => ({
    templateRef: { apiVersion: `${group}/v1beta2`, kind: `${kind}Template`, name },
  });
  const infrastructure = template(TestCluster.group, "TestCluster");
  const controlPlane = template(TestControlPlane.group, "TestControlPlane");
  return object(ClusterClass, name, {}, { spec: { infrastructure, controlPlane, ...spec } });
}

/** An infrastructure object that has done its work, unless it says something else. */
export function anInfrastructure(
  name: string,
  {
    spec = { controlPlaneEndpoint: { host: "cluster.test", port: 6443 } },
    status = provisioned,
    ...marks
  }: Saying = {},
): KubeObject {
  return object(TestCluster, name, marks, { spec, status });
}

interface Saying extends Marks {
  readonly spec?: object;
  readonly status?: object;
}

const provisioned = { initialization: { provisioned: true } };
const initialized = { initialization: { controlPlaneInitialized: true } };

/** A control plane that has done its work, and says of itself what it is given. */
export function aControlPlane(name: string, ...conditions: readonly Told[]): KubeObject {
  return aControlPlaneSaying(name, { status: { ...initialized, conditions: conditions.map(whole) } });
}

/** A control plane that says anything at all. */
export function aControlPlaneSaying(name: string, { spec = {}, status = initialized, ...marks }: Saying): KubeObject {
  return object(TestControlPlane, name, marks, { spec, status });
}

/** A group of workers that says of itself what it is given. */
export function aMachineDeployment(name: string, clusterName: string, ...conditions: readonly Told[]): KubeObject {
  return aGroup(MachineDeployment, name, clusterName, { conditions });
}

/** What a group of machines says of itself. */
interface GroupSaying extends Marks {
  readonly conditions?: readonly Told[];
  readonly replicas?: number;
  readonly status?: object;
}

/** A MachineDeployment, MachineSet or MachinePool. */
export function aGroup(
  kind: typeof MachineDeployment | typeof MachineSet | typeof MachinePool,
  name: string,
  clusterName: string,
  { conditions = [], replicas = 1, status = {}, labels = {}, ...marks }: GroupSaying = {},
): KubeObject {
  const template = { metadata: { labels: { group: name } }, spec: machineSpec(clusterName, name) };
  const selector = kind.kind === "MachinePool" ? {} : { selector: { matchLabels: { group: name } } };
  const said = { ...status, ...(conditions.length === 0 ? {} : { conditions: conditions.map(whole) }) };
  return object(kind, name, ofCluster(clusterName, labels, marks), {
    spec: { clusterName, replicas, template, ...selector },
    ...(Object.keys(said).length === 0 ? {} : { status: said }),
  });
}

/** What a Machine says of itself. */
interface MachineSaying extends Marks {
  readonly conditions?: readonly Told[];
  readonly node?: string;
}

/** A Machine that says of itself what it is given. */
export function aMachine(
  name: string,
  clusterName: string,
  { conditions = [], labels = {}, node, ...marks }: MachineSaying = {},
): KubeObject {
  return object(Machine, name, ofCluster(clusterName, labels, marks), {
    spec: machineSpec(clusterName, name),
    status: { conditions: conditions.map(whole), ...(node === undefined ? {} : { nodeRef: { name: node } }) },
  });
}

/** A Machine of the control plane. */
export function aControlPlaneMachine(name: string, clusterName: string, saying: MachineSaying = {}): KubeObject {
  const labels = { "cluster.x-k8s.io/control-plane": "", ...saying.labels };
  return aMachine(name, clusterName, { ...saying, labels });
}

/** A reference to a Cluster as the owner of something. */
export function ownedBy({ apiVersion, kind, metadata }: KubeObject): readonly OwnerReference[] {
  return [{ apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" }];
}

function machineSpec(clusterName: string, name: string) {
  return {
    clusterName,
    bootstrap: { dataSecretName: "secret" },
    infrastructureRef: { apiGroup: TestCluster.group, kind: "TestMachine", name },
  };
}

function ofCluster(clusterName: string, labels: Readonly<Record<string, string>>, marks: Marks): Marks {
  return { ...marks, labels: { "cluster.x-k8s.io/cluster-name": clusterName, ...labels } };
}

/** A condition with everything that a schema asks for. */
function whole(condition: Told): object {
  return {
    status: "True",
    reason: "Because",
    message: "",
    lastTransitionTime: "2025-01-15T12:00:00Z",
    ...condition,
  };
}

function object(
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
  name: string,
  marks: Marks,
  fields: object,
): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name, ...marks }, ...fields };
}
