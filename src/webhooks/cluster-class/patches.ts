import type { ClusterClass, ClusterClassPatch, FeatureGates } from "#api";
import { quote } from "#base";
import { type FieldError, FieldPath, forbidden, invalid, omitted, required } from "#machinery";

const patchesPath = FieldPath.of("spec", "patches");

/** Patches have names of their own and say in one way what they change. What they change is the topology engine's to check. */
export function patchErrors({ spec: { patches = [] } }: ClusterClass, gates: FeatureGates): readonly FieldError[] {
  return patches.flatMap((patch, index) => {
    const at = patchesPath.index(index);
    const { name } = patch;
    const isRepeated = patches.slice(0, index).some((other) => other.name === name);
    const repeated = `patch names must be unique. Patch with name ${quote(name)} is defined more than once`;
    return [
      ...(isRepeated ? [invalid(at.child("name"), name, repeated)] : []),
      ...definitionErrors(patch, at),
      ...externalErrors(patch, at.child("external"), gates),
    ];
  });
}

function definitionErrors({ definitions, external }: ClusterClassPatch, at: FieldPath): readonly FieldError[] {
  if (definitions === undefined && external === undefined) {
    return [required(at, "one of definitions or external must be defined")];
  }
  if (definitions === undefined || external === undefined) return [];
  return [invalid(at, omitted, "only one of definitions or external can be defined")];
}

function externalErrors({ external }: ClusterClassPatch, at: FieldPath, gates: FeatureGates): readonly FieldError[] {
  if (external === undefined) return [];
  const { generatePatchesExtension, validateTopologyExtension } = external;
  const doesNothing = generatePatchesExtension === undefined && validateTopologyExtension === undefined;
  const off = "patch.external can be used only if the RuntimeSDK feature flag is enabled";
  const nothing = "one of validateTopologyExtension and generatePatchesExtension must be defined";
  return [...(gates.RuntimeSDK ? [] : [forbidden(at, off)]), ...(doesNothing ? [invalid(at, omitted, nothing)] : [])];
}
