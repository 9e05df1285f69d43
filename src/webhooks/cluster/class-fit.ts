import {
  annotations,
  type Cluster,
  type ClusterClass,
  type MachineDeploymentTopology,
  type TemplateMetadata,
  type Topology,
} from "#api";
import { quote } from "#base";
import { type FieldError, FieldPath, forbidden, invalid } from "#machinery";
import { deploymentHealthCheckErrors, healthCheckErrors, isDefined } from "../checks/health-check.ts";

const topologyPath = FieldPath.of("spec", "topology");
const deploymentsPath = topologyPath.child("workers", "machineDeployments");
const poolsPath = topologyPath.child("workers", "machinePools");

/** What is wrong with a topology in the eyes of its class, as far as there is one. */
export function classErrors(cluster: Cluster, clusterClass: ClusterClass | undefined): readonly FieldError[] {
  const { topology } = cluster.spec;
  if (topology === undefined) return [];
  return [
    ...(clusterClass === undefined ? [] : fitErrors(topology, clusterClass)),
    ...autoscalerErrors(cluster, clusterClass),
  ];
}

function fitErrors(topology: Topology, clusterClass: ClusterClass): readonly FieldError[] {
  const { kubernetesVersions = [], workers: classes } = clusterClass.spec;
  const { workers, version } = topology;
  const isAllowed = kubernetesVersions.length === 0 || kubernetesVersions.includes(version);
  const why = "version must match one of the versions defined in the ClusterClass";
  const className = clusterClass.metadata.name ?? "";
  return [
    ...(isAllowed ? [] : [invalid(topologyPath.child("version"), version, why)]),
    ...workerErrors(workers?.machineDeployments, deploymentsPath, {
      kind: "MachineDeployment",
      classes: (classes?.machineDeployments ?? []).map((each) => each.class),
      className,
    }),
    ...workerErrors(workers?.machinePools, poolsPath, {
      kind: "MachinePool",
      classes: (classes?.machinePools ?? []).map((each) => each.class),
      className,
    }),
    ...controlPlaneHealthErrors(topology, clusterClass),
    ...(workers?.machineDeployments ?? []).flatMap((deployment) => deploymentHealthErrors(deployment, clusterClass)),
  ];
}

/** Workers have names of their own and classes that there are. */
function workerErrors(
  workers: readonly { readonly class: string; readonly name: string }[] | undefined = [],
  at: FieldPath,
  {
    kind,
    classes,
    className,
  }: { readonly kind: string; readonly classes: readonly string[]; readonly className: string },
): readonly FieldError[] {
  return workers.flatMap(({ class: used, name }, index) => {
    const missing = `${kind}Class with name ${quote(used)} does not exist in ClusterClass ${quote(className)}`;
    const repeated = `name must be unique. ${kind} with name ${quote(name)} is defined more than once`;
    const isRepeated = workers.slice(0, index).some((other) => other.name === name);
    return [
      ...(classes.includes(used) ? [] : [invalid(at.index(index).child("class"), used, missing)]),
      ...(isRepeated ? [invalid(at.index(index).child("name"), name, repeated)] : []),
    ];
  });
}

function controlPlaneHealthErrors({ controlPlane }: Topology, { spec }: ClusterClass): readonly FieldError[] {
  const at = topologyPath.child("controlPlane", "healthCheck");
  const check = controlPlane?.healthCheck;
  const noMachines = spec.controlPlane.machineInfrastructure === undefined;
  const why = "can be only set if spec.controlPlane.machineInfrastructure is set in ClusterClass";
  return [
    ...(isDefined(check) ? [...(noMachines ? [forbidden(at, why)] : []), ...healthCheckErrors(check, at)] : []),
    ...enabledErrors(check?.enabled, isDefined(check) || isDefined(spec.controlPlane.healthCheck), at),
  ];
}

function deploymentHealthErrors(
  { name, class: used, healthCheck: check }: MachineDeploymentTopology,
  { spec }: ClusterClass,
): readonly FieldError[] {
  const at = deploymentsPath.key(name).child("healthCheck");
  const ofClass = (spec.workers?.machineDeployments ?? []).find((each) => each.class === used);
  return [
    ...(isDefined(check) ? deploymentHealthCheckErrors(check, at) : []),
    ...(ofClass === undefined
      ? []
      : enabledErrors(check?.enabled, isDefined(check) || isDefined(ofClass.healthCheck), at)),
  ];
}

/** A check that is switched on has to be defined somewhere. */
function enabledErrors(
  enabled: boolean | undefined,
  isDefinedSomewhere: boolean,
  at: FieldPath,
): readonly FieldError[] {
  if (enabled !== true || isDefinedSomewhere) return [];
  const why =
    "cannot be set to true as healthCheck definition is not available in the Cluster topology or the ClusterClass";
  return [forbidden(at.child("enable"), why)];
}

/** Where an autoscaler decides on the number of machines, nobody else does. */
export function autoscalerErrors(cluster: Cluster, clusterClass: ClusterClass | undefined): readonly FieldError[] {
  const { name = "", namespace = "" } = cluster.metadata;
  const refused = `cannot be set for cluster ${quote(name)} in namespace ${quote(namespace)}`;
  const classes = clusterClass?.spec.workers?.machineDeployments ?? [];
  return (cluster.spec.topology?.workers?.machineDeployments ?? []).flatMap((deployment) => {
    const { replicas } = deployment;
    if (replicas === undefined) return [];
    const ofClass = classes.find((each) => each.class === deployment.class);
    const own = "if the same MachineDeploymentTopology has autoscaler annotations";
    const source = `if the source class ${quote(deployment.class)} of this MachineDeploymentTopology has autoscaler annotations`;
    const reasons = [
      ...(isAutoscaled(deployment.metadata) ? [own] : []),
      ...(isAutoscaled(ofClass?.metadata) ? [source] : []),
    ];
    const at = deploymentsPath.key(deployment.name).child("replicas");
    return reasons.map((reason) => invalid(at, replicas, `${refused} ${reason}`));
  });
}

function isAutoscaled(metadata: TemplateMetadata | undefined): boolean {
  const { autoscalerMinSize, autoscalerMaxSize } = annotations;
  return [autoscalerMinSize, autoscalerMaxSize].some((key) => metadata?.annotations?.[key] !== undefined);
}
