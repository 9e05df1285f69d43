import type { ClusterClass } from "#api";
import {
  compareSemanticVersions,
  type FieldError,
  FieldPath,
  invalid,
  isKubernetesVersion,
  parseSemanticVersion,
  printSemanticVersion,
} from "#machinery";

const versionsPath = FieldPath.of("spec", "kubernetesVersions");

/** Versions go up, one minor version at a time, so that every cluster can be upgraded through them. */
export function versionListErrors({ spec: { kubernetesVersions = [] } }: ClusterClass): readonly FieldError[] {
  return kubernetesVersions.flatMap((version, index) => {
    const problem = versionProblem(version, kubernetesVersions[index - 1]);
    return problem === undefined ? [] : [invalid(versionsPath.index(index), version, problem)];
  });
}

function versionProblem(version: string, before: string | undefined): string | undefined {
  const parsed = parseSemanticVersion(version);
  if (!isKubernetesVersion(version) || parsed === undefined) return "version must be a valid semantic version";
  const last = before === undefined ? undefined : parseSemanticVersion(before);
  if (last === undefined) return undefined;
  if (compareSemanticVersions(parsed, last) <= 0) return `version must be greater than v${printSemanticVersion(last)}`;
  const isNext = parsed.major === last.major && parsed.minor <= last.minor + 1;
  if (isNext) return undefined;
  return `expecting a version with minor ${last.minor} or ${last.minor + 1}, found version with minor ${parsed.minor}`;
}
