import { type Duration, InvalidDurationError, noTime, parseDuration } from "#base";
import type { KubeObject } from "#machinery";

/** Annotations that break things on purpose. */
export const breakAnnotations = {
  /** On a DevMachine: `down` (its kubelet reports nothing good) or `gone` (its Node is deleted). */
  node: "dev.capstan.io/break-node",
  /** On a DevCluster: `stopped`, or how long every answer takes, such as `2s`. */
  apiServer: "dev.capstan.io/break-api-server",
} as const;

/** What is wrong with a Node on purpose. */
export type NodeBreak = "none" | "down" | "gone";

/** What is wrong with an API server on purpose. */
export type ApiServerBreak =
  | { readonly kind: "none" }
  | { readonly kind: "stopped" }
  | { readonly kind: "slow"; readonly delay: Duration };

/** What somebody asked to be broken about a Node; what is not understood breaks nothing. */
export function nodeBreakOf({ metadata }: KubeObject): NodeBreak {
  const text = metadata.annotations?.[breakAnnotations.node];
  return text === "down" || text === "gone" ? text : "none";
}

/** What somebody asked to be broken about an API server; what is not understood breaks nothing. */
export function apiServerBreakOf({ metadata }: KubeObject): ApiServerBreak {
  const text = metadata.annotations?.[breakAnnotations.apiServer];
  if (text === undefined) return { kind: "none" };
  if (text === "stopped") return { kind: "stopped" };
  const delay = durationOf(text);
  return delay > noTime ? { kind: "slow", delay } : { kind: "none" };
}

function durationOf(text: string): Duration {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error;
    return noTime;
  }
}
