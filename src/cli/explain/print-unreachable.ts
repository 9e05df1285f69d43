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

/** The same in one sentence, to be put behind a condition. */
export function unreachableInShort(away: Unreachable): string {
  const [cause] = away.causes;
  return withoutControls(`${sentenceOf(away)}${cause === undefined ? "" : ` (${cause})`}; ${standing(away)}`);
}

function sentenceOf({ cluster, isNoticed, since }: Unreachable): string {
  if (!isNoticed) return `Cluster ${cluster} does not answer, and its manager has not said so yet`;
  return `Cluster ${cluster} has been unreachable${since === undefined ? "" : ` since ${since}`}`;
}

function standing({ until, gracePeriod }: Unreachable): string {
  const when = until === undefined ? `${formatDuration(gracePeriod)} after the last good probe` : `at ${until}`;
  return `it becomes Unknown ${when} unless the cluster answers`;
}
