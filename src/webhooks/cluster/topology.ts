import { annotations, type Cluster, type FeatureGates, type Topology } from "#api";
import { atoi, type FieldError, FieldPath, invalid } from "#machinery";
import { templateMetadataErrors } from "../checks/machine-template.ts";
import { rolloutErrors } from "../checks/rollout.ts";
import { taintErrors, workerTaintErrors } from "../checks/taints.ts";

const topologyPath = FieldPath.of("spec", "topology");
const controlPlanePath = topologyPath.child("controlPlane");
const deploymentsPath = topologyPath.child("workers", "machineDeployments");
const poolsPath = topologyPath.child("workers", "machinePools");

/** What is wrong with a topology whatever its class says. */
export function topologyErrors(cluster: Cluster, topology: Topology, gates: FeatureGates): readonly FieldError[] {
  const { controlPlane } = topology;
  const { machineDeployments = [], machinePools = [] } = topology.workers ?? {};
  const workers = [
    ...machineDeployments.map((deployment) => ({ ...deployment, at: deploymentsPath.key(deployment.name) })),
    ...machinePools.map((pool) => ({ ...pool, at: poolsPath.key(pool.name) })),
  ];
  return [
    ...templateMetadataErrors(controlPlane?.metadata, controlPlanePath.child("metadata")),
    ...workers.flatMap(({ metadata, at }) => templateMetadataErrors(metadata, at.child("metadata"))),
    ...machineDeployments.flatMap(({ name, rollout }) =>
      rolloutErrors(rollout?.strategy, deploymentsPath.key(name).child("rollout", "strategy")),
    ),
    ...taintErrors(controlPlane?.taints, controlPlanePath.child("taints"), gates),
    ...workers.flatMap(({ taints, at }) => [
      ...taintErrors(taints, at.child("taints"), gates),
      ...workerTaintErrors(taints, at.child("taints"), gates),
    ]),
    ...concurrencyErrors(cluster),
  ];
}

/** At least one MachineDeployment is upgraded at a time. */
function concurrencyErrors({ metadata }: Cluster): readonly FieldError[] {
  const concurrency = metadata.annotations?.[annotations.upgradeConcurrency];
  if (concurrency === undefined) return [];
  const at = FieldPath.of("metadata", "annotations", annotations.upgradeConcurrency);
  const number = atoi(concurrency);
  if (number.kind === "none") {
    return [invalid(at, concurrency, `could not parse the value of the annotation: ${number.why}`)];
  }
  return number.value < 1 ? [invalid(at, concurrency, "value cannot be less than 1")] : [];
}
