import { Cluster } from "#api";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  isKubernetesVersion,
  labelValueProblems,
  required,
} from "#machinery";
import { withV } from "../checks/version.ts";
import { isComplete } from "../fit.ts";
import type { Lookups } from "../lookups.ts";
import { type Defaulted, defineWebhook, type Incoming } from "../webhook.ts";
import { cidrErrors } from "./cidr.ts";
import { classErrors } from "./class-fit.ts";
import { classKeyOf, classWarnings, isReconciled } from "./class-lookup.ts";
import { classChangeErrors, versionChangeErrors, versionWarnings } from "./topology-change.ts";
import { topologyErrors } from "./topology.ts";

const spec = FieldPath.of("spec");
const topologyPath = spec.child("topology");

/** What happens to Clusters when they are written. */
export const clusterWebhook = defineWebhook<Cluster>({
  kind: Cluster,

  async fillIn(old, cluster, lookups) {
    const topology = cluster.spec?.topology;
    if (topology?.version === undefined) return { object: cluster, errors: [] };
    const versioned = {
      ...cluster,
      spec: { ...cluster.spec, topology: { ...topology, version: withV(topology.version) } },
    };
    if (topology.classRef?.name === undefined || topology.classRef.name === "") {
      return { object: versioned, errors: [required(topologyPath.child("classRef", "name"), "cannot be empty")] };
    }
    return fillInVariables(old, versioned, lookups);
  },

  async validate(old, cluster, lookups) {
    return [
      ...nameErrors(cluster),
      ...referenceErrors(old, cluster),
      ...networkErrors(cluster),
      ...(cluster.spec.topology === undefined ? [] : await validateTopology(old, cluster, lookups)),
      ...(old?.spec.topology !== undefined && cluster.spec.topology === undefined
        ? [forbidden(topologyPath, "cannot be removed from an existing Cluster")]
        : []),
    ];
  },

  async warn(old, cluster, lookups) {
    if (cluster.spec.topology === undefined || !lookups.gates.ClusterTopology) return [];
    const key = classKeyOf(cluster);
    return [...classWarnings(key, await lookups.clusterClass(key)), ...versionWarnings(old, cluster)];
  },
});

/** Variables get their defaults, and are checked, from the class; one that is not ready yet says nothing about them. */
async function fillInVariables(
  old: Cluster | undefined,
  cluster: Incoming<Cluster>,
  lookups: Lookups,
): Promise<Defaulted<Cluster>> {
  // What the schema refuses in the next step need not have its variables looked at.
  if (!isComplete(Cluster, cluster)) return { object: cluster, errors: [] };
  const clusterClass = await lookups.clusterClass(classKeyOf(cluster));
  if (clusterClass === undefined || !isReconciled(clusterClass)) return { object: cluster, errors: [] };
  const filled = lookups.variables.fillIn(old, cluster, clusterClass);
  return { object: filled.cluster, errors: filled.errors };
}

/** The name becomes the value of a label. */
function nameErrors({ metadata: { name = "" } }: Cluster): readonly FieldError[] {
  const at = FieldPath.of("metadata", "name");
  return labelValueProblems(name).map((problem) => invalid(at, name, `must be a valid label value ${problem}`));
}

/** A Cluster says what it is made of, and does not forget it. */
function referenceErrors(
  old: Cluster | undefined,
  { spec: { infrastructureRef, controlPlaneRef, topology } }: Cluster,
) {
  const isNothing = infrastructureRef === undefined && controlPlaneRef === undefined && topology === undefined;
  const why = "one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set";
  const infrastructureGone = infrastructureRef === undefined && old?.spec.infrastructureRef !== undefined;
  const controlPlaneGone = controlPlaneRef === undefined && old?.spec.controlPlaneRef !== undefined;
  return [
    ...(infrastructureGone ? [forbidden(spec.child("infrastructureRef"), "cannot be removed")] : []),
    ...(isNothing ? [forbidden(spec, why)] : []),
    ...(controlPlaneGone ? [forbidden(spec.child("controlPlaneRef"), "cannot be removed")] : []),
  ];
}

function networkErrors({ spec: { clusterNetwork } }: Cluster): readonly FieldError[] {
  const at = spec.child("clusterNetwork");
  return [
    ...cidrErrors(clusterNetwork?.pods?.cidrBlocks, at.child("pods", "cidrBlocks")),
    ...cidrErrors(clusterNetwork?.services?.cidrBlocks, at.child("services", "cidrBlocks")),
  ];
}

async function validateTopology(
  old: Cluster | undefined,
  cluster: Cluster,
  lookups: Lookups,
): Promise<readonly FieldError[]> {
  const { topology } = cluster.spec;
  if (topology === undefined) return [];
  if (!lookups.gates.ClusterTopology) {
    return [forbidden(topologyPath, "can be set only if the ClusterTopology feature flag is enabled")];
  }
  const { version } = topology;
  const versionPath = topologyPath.child("version");
  const clusterClass = await lookups.clusterClass(classKeyOf(cluster));
  return [
    ...(isKubernetesVersion(version)
      ? []
      : [invalid(versionPath, version, "version must be a valid semantic version")]),
    ...topologyErrors(cluster, topology, lookups.gates),
    ...classErrors(cluster, clusterClass),
    ...(old === undefined ? [] : await classChangeErrors({ old, cluster, clusterClass }, lookups)),
    ...(old === undefined ? [] : await versionChangeErrors({ old, cluster, clusterClass }, lookups)),
  ];
}
