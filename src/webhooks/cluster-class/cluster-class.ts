import { ClusterClass } from "#api";
import { type FieldError, FieldPath, forbidden, keyOf } from "#machinery";
import { deploymentHealthCheckErrors, healthCheckErrors, isDefined } from "../checks/health-check.ts";
import { templateMetadataErrors } from "../checks/machine-template.ts";
import { namingErrors } from "../checks/naming.ts";
import { rolloutErrors } from "../checks/rollout.ts";
import { taintErrors, workerTaintErrors } from "../checks/taints.ts";
import type { Lookups } from "../lookups.ts";
import { defineWebhook } from "../webhook.ts";
import { compatibilityErrors } from "./compatibility.ts";
import { describeClusters, useErrors } from "./in-use.ts";
import { patchErrors } from "./patches.ts";
import { repeatedClassErrors, templateErrors } from "./templates.ts";
import { versionListErrors } from "./versions.ts";

const spec = FieldPath.of("spec");
const controlPlanePath = spec.child("controlPlane");
const deploymentsPath = spec.child("workers", "machineDeployments");
const poolsPath = spec.child("workers", "machinePools");

/** What happens to ClusterClasses when they are written and deleted. */
export const clusterClassWebhook = defineWebhook<ClusterClass>({
  kind: ClusterClass,

  async validate(old, clusterClass, lookups) {
    const { gates, variables } = lookups;
    if (!gates.ClusterTopology) {
      return [forbidden(spec, "can be set only if the ClusterTopology feature flag is enabled")];
    }
    return [
      ...templateErrors(clusterClass),
      ...repeatedClassErrors(clusterClass),
      ...rolloutsErrors(clusterClass),
      ...healthChecksErrors(clusterClass),
      ...namesErrors(clusterClass),
      ...variables.validateDefinitions(
        old?.spec.variables ?? [],
        clusterClass.spec.variables ?? [],
        spec.child("variables"),
      ),
      ...patchErrors(clusterClass, gates),
      ...metadataErrors(clusterClass),
      ...taintsErrors(clusterClass, gates),
      ...versionListErrors(clusterClass),
      ...(old === undefined ? [] : await changeErrors(old, clusterClass, lookups)),
    ];
  },

  async refuseDelete(clusterClass, lookups) {
    const clusters = await lookups.clustersUsing(keyOf(clusterClass));
    if (clusters.length === 0) return undefined;
    return `ClusterClass cannot be deleted because it is used by Cluster(s): ${describeClusters(clusters)}`;
  },
});

async function changeErrors(
  old: ClusterClass,
  clusterClass: ClusterClass,
  lookups: Lookups,
): Promise<readonly FieldError[]> {
  const clusters = await lookups.clustersUsing(keyOf(old));
  return [...compatibilityErrors(old, clusterClass), ...useErrors(old, clusterClass, clusters)];
}

function rolloutsErrors({ spec: { workers } }: ClusterClass): readonly FieldError[] {
  return (workers?.machineDeployments ?? []).flatMap(({ class: name, rollout }) =>
    rolloutErrors(rollout?.strategy, deploymentsPath.key(name).child("rollout", "strategy")),
  );
}

function healthChecksErrors({ spec: { controlPlane, workers } }: ClusterClass): readonly FieldError[] {
  const { healthCheck, machineInfrastructure } = controlPlane;
  const at = controlPlanePath.child("healthCheck");
  const noMachines = forbidden(at, "can be only set if spec.controlPlane.machineInfrastructure is set");
  return [
    ...(isDefined(healthCheck)
      ? [...healthCheckErrors(healthCheck, at), ...(machineInfrastructure === undefined ? [noMachines] : [])]
      : []),
    ...(workers?.machineDeployments ?? []).flatMap(({ class: name, healthCheck: check }) =>
      isDefined(check) ? deploymentHealthCheckErrors(check, deploymentsPath.key(name).child("healthCheck")) : [],
    ),
  ];
}

function namesErrors({ spec: { infrastructure, controlPlane, workers } }: ClusterClass): readonly FieldError[] {
  const cluster = { name: "cluster" };
  const random = "xyz12";
  return [
    ...namingErrors(infrastructure.naming?.template, spec.child("infrastructure", "naming", "template"), {
      what: "InfraCluster",
      values: { cluster, random },
    }),
    ...namingErrors(controlPlane.naming?.template, controlPlanePath.child("naming", "template"), {
      what: "ControlPlane",
      values: { cluster, random },
    }),
    ...(workers?.machineDeployments ?? []).flatMap(({ class: name, naming }) =>
      namingErrors(naming?.template, deploymentsPath.key(name).child("naming", "template"), {
        what: "MachineDeployment",
        values: { cluster, random, machineDeployment: { topologyName: "mdtopology" } },
      }),
    ),
    ...(workers?.machinePools ?? []).flatMap(({ class: name, naming }) =>
      namingErrors(naming?.template, poolsPath.key(name).child("naming", "template"), {
        what: "MachinePool",
        values: { cluster, random, machinePool: { topologyName: "mptopology" } },
      }),
    ),
  ];
}

function metadataErrors({ spec: { controlPlane, workers } }: ClusterClass): readonly FieldError[] {
  return [
    ...templateMetadataErrors(controlPlane.metadata, controlPlanePath.child("metadata")),
    ...(workers?.machineDeployments ?? []).flatMap(({ class: name, metadata }) =>
      templateMetadataErrors(metadata, deploymentsPath.key(name).child("template", "metadata")),
    ),
    ...(workers?.machinePools ?? []).flatMap(({ class: name, metadata }) =>
      templateMetadataErrors(metadata, poolsPath.key(name).child("template", "metadata")),
    ),
  ];
}

function taintsErrors(
  { spec: { controlPlane, workers } }: ClusterClass,
  gates: Lookups["gates"],
): readonly FieldError[] {
  const ofWorkers = [
    ...(workers?.machineDeployments ?? []).map((each) => ({ ...each, at: deploymentsPath.key(each.class) })),
    ...(workers?.machinePools ?? []).map((each) => ({ ...each, at: poolsPath.key(each.class) })),
  ];
  return [
    ...taintErrors(controlPlane.taints, controlPlanePath.child("taints"), gates),
    ...ofWorkers.flatMap(({ taints, at }) => [
      ...taintErrors(taints, at.child("taints"), gates),
      ...workerTaintErrors(taints, at.child("taints"), gates),
    ]),
  ];
}
