import type { Timestamp } from "#base";
import { compareText } from "#conditions";
import { type Evictions, isDrained } from "./evict-pods.ts";

// As many names, and as many reasons, as a message has.
const mostNames = 3;
const mostFailures = 5;

const budget = "annot evict pod as it would violate the pod's disruption budget.";

/** What a Node that is being drained waits for, for the condition Deleting; empty where it waits for nothing. */
export function drainMessage(evictions: Evictions, startedAt: Timestamp): string {
  if (isDrained(evictions)) return "";
  const { leaving, awaited, later, awaitedLater } = evictions;
  const first = "After above Pods have been removed from the Node,";
  return [
    `Drain not completed yet (started at ${startedAt}):`,
    ...about(leaving, "deletionTimestamp set, but still not removed from the Node"),
    ...failures(evictions),
    ...about(awaited, "waiting for completion"),
    ...(later.length === 0 ? [] : [`${first} the following Pods will be evicted: ${listed(later, mostNames)}`]),
    ...(awaitedLater.length === 0
      ? []
      : [`${first} waiting for the following Pods to complete without eviction: ${listed(awaitedLater, mostNames)}`]),
  ].join("\n");
}

/** The first names of a list, and how many there are besides. */
export function listed(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [`... (${rest} more)`] : [])].join(", ");
}

function failures({ failed }: Evictions): readonly string[] {
  const sorted = [...failed].toSorted(([a], [b]) => compareText(a, b));
  const others = sorted.slice(mostFailures).reduce((count, [, names]) => count + names.length, 0);
  return [
    ...sorted.slice(0, mostFailures).flatMap(([why, names]) => about(names, inSentence(why))),
    ...(others === 0 ? [] : [`* ${others} ${others === 1 ? "Pod" : "Pods"} with other issues`]),
  ];
}

function inSentence(why: string): string {
  const lowered = why.replaceAll(`C${budget}`, `c${budget}`);
  return lowered.startsWith(`c${budget}`) ? lowered : `failed to evict Pod, ${lowered}`;
}

function about(names: readonly string[], text: string): readonly string[] {
  if (names.length === 0) return [];
  return [`* ${names.length === 1 ? "Pod" : "Pods"} ${listed(names, mostNames)}: ${text}`];
}
