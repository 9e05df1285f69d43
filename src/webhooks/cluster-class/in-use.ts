import type { Cluster, ClusterClass } from "#api";
import { quote } from "#base";
import { describeKey, type FieldError, FieldPath, forbidden, keyOf } from "#machinery";
import { isDefined } from "../checks/health-check.ts";
import { autoscalerErrors } from "../cluster/class-fit.ts";

const spec = FieldPath.of("spec");
const mostNamed = 3;

/** A class keeps what its Clusters need. */
export function useErrors(
  old: ClusterClass,
  clusterClass: ClusterClass,
  clusters: readonly Cluster[],
): readonly FieldError[] {
  return [
    ...removedClassErrors(old, clusterClass, clusters),
    ...removedHealthCheckErrors(old, clusterClass, clusters),
    ...removedVersionErrors(clusterClass, clusters),
    ...clusters.flatMap((cluster) => autoscalerErrors(cluster, clusterClass)),
  ];
}

/** The Clusters by name, the first few of them. */
export function describeClusters(clusters: readonly Cluster[]): string {
  const names = clusters.slice(0, mostNamed).map((cluster) => describeKey(keyOf(cluster)));
  const others = clusters.length - names.length;
  return [...names, ...(others > 0 ? [`... (${others} more)`] : [])].join(", ");
}

function removedClassErrors(
  old: ClusterClass,
  clusterClass: ClusterClass,
  clusters: readonly Cluster[],
): readonly FieldError[] {
  const kinds = { machineDeployments: "MachineDeploymentClass", machinePools: "MachinePoolClass" } as const;
  return (["machineDeployments", "machinePools"] as const).flatMap((field) => {
    const kept = new Set((clusterClass.spec.workers?.[field] ?? []).map((worker) => worker.class));
    const before = (old.spec.workers?.[field] ?? []).map((worker) => worker.class);
    const removed = new Set(before.filter((name) => !kept.has(name)));
    return clusters.flatMap((cluster) =>
      (cluster.spec.topology?.workers?.[field] ?? [])
        .filter((worker) => removed.has(worker.class))
        .map((worker) => {
          const user = quote(cluster.metadata.name ?? "");
          const why = `${kinds[field]} ${quote(worker.class)} cannot be deleted because it is used by Cluster ${user}`;
          return forbidden(spec.child("workers", field), why);
        }),
    );
  });
}

function removedHealthCheckErrors(
  old: ClusterClass,
  clusterClass: ClusterClass,
  clusters: readonly Cluster[],
): readonly FieldError[] {
  const controlPlanePath = spec.child("controlPlane", "healthCheck");
  const ofControlPlane =
    isDefined(old.spec.controlPlane.healthCheck) && !isDefined(clusterClass.spec.controlPlane.healthCheck)
      ? reliantErrors(
          clusters.filter(({ spec: { topology } }) => relies(topology?.controlPlane?.healthCheck)),
          controlPlanePath,
        )
      : [];
  const oldClasses = old.spec.workers?.machineDeployments ?? [];
  const ofWorkers = (clusterClass.spec.workers?.machineDeployments ?? []).flatMap(({ class: name, healthCheck }) => {
    const before = oldClasses.find((candidate) => candidate.class === name);
    if (!isDefined(before?.healthCheck) || isDefined(healthCheck)) return [];
    const reliant = clusters.filter(({ spec: { topology } }) =>
      (topology?.workers?.machineDeployments ?? []).some((each) => each.class === name && relies(each.healthCheck)),
    );
    return reliantErrors(reliant, spec.child("workers", "machineDeployments").key(name).child("healthCheck"));
  });
  return [...ofControlPlane, ...ofWorkers];
}

type TopologyHealthCheck = Parameters<typeof isDefined>[0] & { readonly enabled?: boolean };

/** True where a topology has switched the check on and leaves it to the class to say what it is. */
function relies(check: TopologyHealthCheck | undefined): boolean {
  return check?.enabled === true && !isDefined(check);
}

function reliantErrors(clusters: readonly Cluster[], at: FieldPath): readonly FieldError[] {
  if (clusters.length === 0) return [];
  const names = clusters.map((cluster) => cluster.metadata.name ?? "").join(",");
  return [forbidden(at, `healthCheck cannot be deleted because it is used by Cluster(s) ${quote(names)}`)];
}

function removedVersionErrors(
  { spec: { kubernetesVersions = [] } }: ClusterClass,
  clusters: readonly Cluster[],
): readonly FieldError[] {
  if (kubernetesVersions.length === 0) return [];
  return clusters.flatMap((cluster) => {
    const version = cluster.spec.topology?.version;
    if (version === undefined || kubernetesVersions.includes(version)) return [];
    const user = quote(cluster.metadata.name ?? "");
    return [
      forbidden(
        spec.child("kubernetesVersions"),
        `version ${version} must be listed because it is used by Cluster ${user}`,
      ),
    ];
  });
}
