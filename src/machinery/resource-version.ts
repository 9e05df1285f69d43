/**
 * Which of two revisions is the later one: below zero where it is the second. Those of one server are whole numbers without
 * leading zeros, however long, so that of two the longer one is later; absent and empty come before all others.
 */
export function compareResourceVersions(a = "", b = ""): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True for a revision that can be compared; some servers that are not Kubernetes' own use other words, or none. */
export function isComparableVersion(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d*$/.test(text);
}
