import { annotations, type Cluster, type ClusterClass } from "#api";
import { quote } from "#base";
import {
  compareReleases,
  deepEqual,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  namespacedName,
  parseSemanticVersion,
  printSemanticVersion,
  type SemanticVersion,
} from "#machinery";
import { compatibilityErrors } from "../cluster-class/compatibility.ts";
import type { Lookups } from "../lookups.ts";
import { classKeyOf } from "./class-lookup.ts";

/** A Cluster with a topology before and after, and its class. */
export interface TopologyChange {
  readonly old: Cluster;
  readonly cluster: Cluster;
  readonly clusterClass: ClusterClass | undefined;
}

const topologyPath = FieldPath.of("spec", "topology");
const classPath = topologyPath.child("class");
const versionPath = topologyPath.child("version");
const blockingHook = "AfterClusterUpgrade";

/** The class is there, was there before, and may be changed for this one. */
export async function classChangeErrors(change: TopologyChange, lookups: Lookups): Promise<readonly FieldError[]> {
  const { old, cluster, clusterClass } = change;
  const key = classKeyOf(cluster);
  if (clusterClass === undefined) {
    return [
      {
        type: "InternalError",
        field: classPath.toString(),
        value: "",
        detail: `ClusterClass ${namespacedName(key)} not found`,
      },
    ];
  }
  if (old.spec.topology === undefined) {
    if (hasAnnotation(cluster, annotations.unsafeClassNameCheck)) return [];
    return [forbidden(classPath, "classRef cannot be set on an existing Cluster")];
  }
  const oldKey = classKeyOf(old);
  if (deepEqual(oldKey, key)) return [];
  const oldClass = await lookups.clusterClass(oldKey);
  if (oldClass !== undefined) return compatibilityErrors(oldClass, clusterClass);
  const name = quote(namespacedName(oldKey));
  const why =
    `valid ClusterClass with name ${name} could not be retrieved, ` +
    `change from class ${name} to class ${quote(namespacedName(key))} cannot be validated`;
  return [forbidden(classPath, why)];
}

/** A version goes up, step by step, and only when the last step is done. */
export async function versionChangeErrors(change: TopologyChange, lookups: Lookups): Promise<readonly FieldError[]> {
  const { old, cluster, clusterClass } = change;
  const { version = "" } = cluster.spec.topology ?? {};
  const oldVersion = old.spec.topology?.version;
  if (oldVersion === undefined || clusterClass === undefined) return [];
  const [from, to] = [parseSemanticVersion(oldVersion), parseSemanticVersion(version)];
  // A version that cannot be read has been refused already.
  if (to === undefined) return [];
  if (from === undefined) return [invalid(versionPath, oldVersion, "old version must be a valid semantic version")];
  const [before, after] = [printSemanticVersion(from), printSemanticVersion(to)];
  if (before === after || hasAnnotation(cluster, annotations.unsafeVersionCheck)) return [];
  const problem = stepProblem(from, to, clusterClass) ?? hookProblem(cluster) ?? (await blockedProblem(old, lookups));
  return problem === undefined ? [] : [invalid(versionPath, version, problem)];
}

/** What the writer of a Cluster should know when its version is not checked. */
export function versionWarnings(old: Cluster | undefined, cluster: Cluster): readonly string[] {
  if (old?.spec.topology === undefined || !hasAnnotation(cluster, annotations.unsafeVersionCheck)) return [];
  return [
    `Skipping version validation for Cluster because annotation ${quote(annotations.unsafeVersionCheck)} is set.`,
  ];
}

function stepProblem(from: SemanticVersion, to: SemanticVersion, { spec }: ClusterClass): string | undefined {
  const step = `from ${quote(printSemanticVersion(from))} to ${quote(printSemanticVersion(to))}`;
  if (compareReleases(to, from) < 0) return `version cannot be decreased ${step}`;
  const isPlanned =
    (spec.kubernetesVersions ?? []).length > 0 || spec.upgrade?.external?.generateUpgradePlanExtension !== undefined;
  const tooFar = { ...from, minor: from.minor + 2, patch: 0 };
  return !isPlanned && compareReleases(to, tooFar) >= 0 ? `version cannot be increased ${step}` : undefined;
}

function hookProblem({ metadata }: Cluster): string | undefined {
  const pending = (metadata.annotations?.[annotations.pendingHooks] ?? "").split(",");
  if (!pending.includes(blockingHook)) return undefined;
  return `version cannot be changed when the ${quote(blockingHook)} hook is still blocking`;
}

async function blockedProblem(old: Cluster, lookups: Lookups): Promise<string | undefined> {
  const blockers = [...new Set(await lookups.upgradeBlockers(old))];
  if (blockers.length === 0) return undefined;
  return `version cannot be changed: ${blockers.length === 1 ? blockers.join("") : `[${blockers.join(", ")}]`}`;
}

function hasAnnotation({ metadata }: Cluster, key: string): boolean {
  return metadata.annotations?.[key] !== undefined;
}
