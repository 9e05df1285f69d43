import { formatDuration } from "#base";
import { withoutControls } from "#conditions";
import type { Moment, Unreachable } from "./unreachable.ts";

/** Whom it is told of: Machines that are Ready have more to lose. */
export type ToldOf = "Cluster" | "Machine that is Ready" | "Machine that is not Ready";

/** That a workload cluster does not answer, why, and what that means for what is said of its Nodes. */
export function unreachableLines(away: Unreachable, told: ToldOf): readonly string[] {
  const { causes } = away;
  const lines = [
    `${sentenceOf(away)}${causes.length > 0 ? ", because" : ""}`,
    ...causes.map((cause) => `  ${cause}`),
    ...noticing(away).map((line) => line.replace(/^the/, "The")),
    consequenceOf(away, told),
  ];
  return lines.map(withoutControls);
}

/** The same in one sentence, to be put behind a condition that is good news. */
export function asLastKnown(away: Unreachable, told: ToldOf): string {
  const [cause] = away.causes;
  const why = cause === undefined ? "" : `, because ${cause}`;
  const next = told === "Cluster" ? [...noticing(away), consequenceOf(away, told)] : [changeOf(away, told)];
  return withoutControls(`as last known: ${sentenceOf(away)}${why}; ${next.join("; ")}`);
}

/** What it means, where it was told already why. */
export function meanwhile(away: Unreachable, told: ToldOf): string {
  return withoutControls([sentenceOf(away), ...noticing(away), consequenceOf(away, told)].join("; "));
}

function sentenceOf({ cluster, isNoticed, lastReached }: Unreachable): string {
  if (!isNoticed) return `Cluster ${cluster} does not answer this command`;
  return `Cluster ${cluster} does not answer${lastReached === undefined ? "" : ` (last reached at ${lastReached})`}`;
}

/** When the manager will say so itself, where it does not. */
function noticing({ isNoticed, probeFails }: Unreachable): readonly string[] {
  if (probeFails === undefined) return [];
  const { gracePeriod, at } = probeFails;
  const notYet = isNoticed ? "" : "the manager has not noticed yet: ";
  const when = `${formatDuration(gracePeriod)} after the last good probe, ${timeOf(at)}`;
  return [`${notYet}RemoteConnectionProbe fails ${when}`];
}

function consequenceOf(away: Unreachable, told: ToldOf): string {
  const { unknownSince } = away;
  if (unknownSince === undefined) return `Machines say what was last known of their Nodes: ${changeOf(away, told)}`;
  return `Machines have been Unknown since ${unknownSince}: what was last known of their Nodes is too old to stand`;
}

/** What becomes of the conditions of Machines, and when. */
function changeOf({ until, gracePeriod }: Unreachable, told: ToldOf): string {
  const when = until === undefined ? `${formatDuration(gracePeriod)} after the last good probe` : timeOf(until);
  const unless = `${when} unless the cluster answers`;
  return told === "Machine that is not Ready"
    ? `NodeReady and NodeHealthy become Unknown ${unless}`
    : `NodeReady, NodeHealthy and Ready become Unknown, and Available False, ${unless}`;
}

function timeOf({ earliest, latest }: Moment): string {
  return earliest === latest ? `at ${latest}` : `between ${earliest} and ${latest}`;
}
