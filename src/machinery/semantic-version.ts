/** A version such as v1.34.1-rc.1+build. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The parts after the dash: `rc.1` has two. */
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

const kubernetesVersion = /^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)[-0-9a-zA-Z_.+]*$/;
const number = /^(?:0|[1-9][0-9]*)$/;
const identifier = /^[0-9A-Za-z-]+$/;

/** True for a version as Kubernetes writes its own: with a v and three numbers. */
export function isKubernetesVersion(text: string): boolean {
  return kubernetesVersion.test(text);
}

/** Reads a version, also one with a v, with fewer than three numbers or with zeros in front; undefined if it is none. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [release = "", ...tags] = text
    .trim()
    .replace(/^v/, "")
    .split(/(?=[-+])/);
  const numbers = release.split(".").map((part) => part.replace(/^0+(?=[0-9])/, ""));
  const [major = "", minor = "0", patch = "0"] = numbers;
  if (numbers.length > 3 || (numbers.length < 3 && tags.length > 0)) return undefined;
  if (![major, minor, patch].every((part) => number.test(part))) return undefined;
  const [prereleaseText, buildText] = splitTags(tags.join(""));
  const prerelease = prereleaseText === undefined ? [] : prereleaseText.split(".");
  const build = buildText === undefined ? [] : buildText.split(".");
  if (![...prerelease, ...build].every((part) => identifier.test(part))) return undefined;
  if (prerelease.some((part) => /^[0-9]+$/.test(part) && !number.test(part))) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease, build };
}

/** Writes a version without a v. */
export function printSemanticVersion({ major, minor, patch, prerelease, build }: SemanticVersion): string {
  const tags = [
    prerelease.length === 0 ? "" : `-${prerelease.join(".")}`,
    build.length === 0 ? "" : `+${build.join(".")}`,
  ];
  return `${major}.${minor}.${patch}${tags.join("")}`;
}

/** Below 0 where the first version is the older one. What is built from it does not count. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  return compareReleases(a, b) || comparePrereleases(a.prerelease, b.prerelease);
}

/** The same by the three numbers alone: v1.34.0-rc.1 is as new as v1.34.0. */
export function compareReleases(a: SemanticVersion, b: SemanticVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

function splitTags(tags: string): readonly [string | undefined, string | undefined] {
  const plus = tags.indexOf("+");
  const before = plus < 0 ? tags : tags.slice(0, plus);
  return [before === "" ? undefined : before.slice(1), plus < 0 ? undefined : tags.slice(plus + 1)];
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  // A release is newer than what led to it.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = compareIdentifiers(part, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [number.test(a), number.test(b)];
  if (isNumber && otherIsNumber) return Number(a) - Number(b);
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
