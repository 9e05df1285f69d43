import { type FieldError, type FieldPath, invalid, isKubernetesVersion } from "#machinery";

/** The version with a v in front of it. */
export function withV(version: string): string {
  return version.startsWith("v") ? version : `v${version}`;
}

/** The version of a machine, where one is given. */
export function versionErrors(version: string | undefined, at: FieldPath): readonly FieldError[] {
  if (version === undefined || isKubernetesVersion(version)) return [];
  return [invalid(at, version, "must be a valid semantic version")];
}
