import { labels } from "#api";
import { instantOf, seconds } from "#base";
import { controllerOf, type Labels } from "#machinery";
import type { Pod } from "../core-kinds.ts";
import { type DrainRule, unknownBehavior } from "./drain-rules.ts";

/** What draining a Node does with one of its Pods. */
export type PodDecision =
  /** Lower orders first; `warnings` say what is lost with it. */
  | { readonly kind: "evict"; readonly order: number; readonly warnings: readonly string[] }
  /** Nobody disturbs it, and the Node waits for it. */
  | { readonly kind: "wait-completed"; readonly order: number }
  /** It was waited for and has done its work. */
  | { readonly kind: "completed" }
  /** It stays, and nobody waits for it. */
  | { readonly kind: "skip"; readonly why: string }
  | { readonly kind: "undecidable"; readonly error: string };

/** What is known besides a Pod itself. */
export interface DecisionContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True where the kubelet does not answer, so that Pods on their way out never arrive. */
  readonly unreachable: boolean;
  readonly rules: readonly DrainRule[];
  /** The labels of each namespace. */
  readonly namespaces: ReadonlyMap<string, Labels | undefined>;
  /** Whether the DaemonSet of a Pod is still there, or why that cannot be said. */
  readonly daemonSetOf: (pod: Pod) => "present" | "gone" | { readonly error: string };
}

const mirrorAnnotation = "kubernetes.io/config.mirror";
// On a Node that is unreachable, a Pod that should have been gone for so long is not waited for: more than one whole second.
const patience = seconds(2);

/** Decides about a Pod: first as kubectl drain does, then by its label, then by the first rule that applies. */
export function decidePod(pod: Pod, context: DecisionContext): PodDecision {
  const kept = whyKept(pod, context);
  if (kept !== undefined) return kept;
  const labelled = byLabel(pod);
  if (labelled !== undefined) return labelled;
  return byRule(pod, context);
}

/** True for a Pod that will never run again. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** True for what the control plane of a cluster left running because of a DaemonSet, which would only make it anew. */
export function isOfDaemonSet(pod: Pod): boolean {
  return controllerOf(pod)?.kind === "DaemonSet";
}

function whyKept(pod: Pod, { now, unreachable, daemonSetOf }: DecisionContext): PodDecision | undefined {
  const { deletionTimestamp, annotations = {} } = pod.metadata;
  if (unreachable && deletionTimestamp !== undefined && now - instantOf(deletionTimestamp) >= patience)
    return { kind: "skip", why: "deletionTimestamp is more than 1s ago" };
  if (isOfDaemonSet(pod) && !isFinished(pod)) {
    const daemonSet = daemonSetOf(pod);
    if (daemonSet === "present") return { kind: "skip", why: "ignoring DaemonSet-managed Pod" };
    if (daemonSet !== "gone") return { kind: "undecidable", error: daemonSet.error };
  }
  return mirrorAnnotation in annotations ? { kind: "skip", why: "static Pod" } : undefined;
}

function byLabel(pod: Pod): PodDecision | undefined {
  const label = pod.metadata.labels?.[labels.drain]?.toLowerCase();
  if (label === "skip") return { kind: "skip", why: `label ${labels.drain}` };
  return label?.replace("-", "") === "waitcompleted" ? waitFor(pod) : undefined;
}

function byRule(pod: Pod, { rules, namespaces }: DecisionContext): PodDecision {
  const { namespace = "" } = pod.metadata;
  if (!namespaces.has(namespace)) return { kind: "undecidable", error: "Pod Namespace does not exist" };
  const rule = rules.find((one) => one.appliesTo(pod, namespaces.get(namespace)));
  if (rule === undefined) return { kind: "evict", order: 0, warnings: warningsOf(pod) };
  switch (rule.behavior) {
    case "Drain":
      return { kind: "evict", order: rule.order, warnings: warningsOf(pod) };
    case "Skip":
      return { kind: "skip", why: `MachineDrainRule ${rule.name}` };
    case "WaitCompleted":
      return waitFor(pod);
    default:
      return { kind: "undecidable", error: unknownBehavior(rule) };
  }
}

/** Cluster API waits for ever for Pods that have completed, because they stay on the Node. */
function waitFor(pod: Pod): PodDecision {
  return isFinished(pod) ? { kind: "completed" } : { kind: "wait-completed", order: 0 };
}

function warningsOf(pod: Pod): readonly string[] {
  if (isFinished(pod)) return [];
  const hasLocalStorage = (pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir !== undefined && emptyDir !== null);
  return [
    ...(isOfDaemonSet(pod) ? ["evicting orphaned DaemonSet-managed Pod"] : []),
    ...(hasLocalStorage ? ["evicting Pod with local storage"] : []),
    ...(controllerOf(pod) === undefined ? ["evicting Pod that has no controller"] : []),
  ];
}
