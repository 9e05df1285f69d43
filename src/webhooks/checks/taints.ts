import { type FeatureGates, labels, type MachineTaint, nodeTaints } from "#api";
import { type FieldError, type FieldPath, forbidden, invalid } from "#machinery";

const nodePrefix = "node.kubernetes.io/";
const outOfService = "node.kubernetes.io/out-of-service";
const cloudProviderPrefix = "node.cloudprovider.kubernetes.io/";
const masterTaint = "node-role.kubernetes.io/master";
const controlPlaneTaint = "node-role.kubernetes.io/control-plane";

/** Taints that anybody may set; some belong to others. */
export function taintErrors(
  taints: readonly MachineTaint[] | undefined = [],
  at: FieldPath,
  gates: FeatureGates,
): readonly FieldError[] {
  const isOff = !gates.MachineTaintPropagation && taints.length > 0;
  const why = "taints are not allowed to be set when the feature gate MachineTaintPropagation is disabled";
  return [
    ...(isOff ? [forbidden(at, why)] : []),
    ...taints.flatMap(({ key }, index) => {
      const problem = keyProblem(key);
      return problem === undefined ? [] : [invalid(at.index(index).child("key"), key, problem)];
    }),
  ];
}

/** Workers are not tainted as control planes. */
export function workerTaintErrors(
  taints: readonly MachineTaint[] | undefined = [],
  at: FieldPath,
  gates: FeatureGates,
): readonly FieldError[] {
  if (!gates.MachineTaintPropagation) return [];
  return taints.flatMap(({ key }, index) =>
    key === controlPlaneTaint
      ? [invalid(at.index(index).child("key"), key, "taint is not allowed for worker Machines")]
      : [],
  );
}

/** True for Machines of the control plane. */
export function isControlPlane(machineLabels: { readonly [key: string]: string } | undefined): boolean {
  return machineLabels?.[labels.controlPlane] !== undefined;
}

function keyProblem(key: string): string | undefined {
  if (key === nodeTaints.uninitialized.key || key === nodeTaints.outdatedRevision.key)
    return "taint key is not allowed";
  if (key.startsWith(nodePrefix) && key !== outOfService) {
    return `taint key must not have the prefix ${nodePrefix}, except for ${outOfService}`;
  }
  if (key.startsWith(cloudProviderPrefix)) return `taint key must not have the prefix ${cloudProviderPrefix}`;
  if (key === masterTaint) return "taint is deprecated since 1.24 and should not be used anymore";
  return undefined;
}
