import { formatDuration } from "#base";
import { withoutControls } from "#conditions";
import type { Unreachable } from "./unreachable.ts";

/** That a workload cluster does not answer, why, and what that means for what is said of its Nodes. */
export function unreachableLines(away: Unreachable): readonly string[] {
  const { causes } = away;
  const lines = [
    `${sentenceOf(away)}${causes.length > 0 ? ", because" : ""}`,
    ...causes.map((cause) => `  ${cause}`),
    `Machines say what was last known of their Nodes: ${standing(away)}`,
  ];
  return lines.map(withoutControls);
}

/** The same in one sentence, to be put behind a condition that is good news. */
export function asLastKnown(away: Unreachable): string {
  const [cause] = away.causes;
  const why = cause === undefined ? "" : ` (${cause})`;
  return withoutControls(`as last known: ${sentenceOf(away)}${why}; ${standing(away)}`);
}

/** What it means, where it was told already why. */
export function meanwhile(away: Unreachable): string {
  return `${sentenceOf(away)}; Machines say what was last known of their Nodes: ${standing(away)}`;
}

function sentenceOf({ cluster, isNoticed, since }: Unreachable): string {
  if (!isNoticed) return `Cluster ${cluster} does not answer this command`;
  return `Cluster ${cluster} has been unreachable${since === undefined ? "" : ` since ${since}`}`;
}

function standing({ until, gracePeriod }: Unreachable): string {
  const when = until === undefined ? `${formatDuration(gracePeriod)} after the last good probe` : `at ${until}`;
  return `it becomes Unknown ${when} unless the cluster answers`;
}
