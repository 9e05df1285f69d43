import { aggregate, type Clock, describeError, quote, wrap } from "#base";
import type { Client } from "#client";
import type { Reader, ReadOptions } from "#control";
import { compareText } from "#conditions";
import { controllerOf, describeKey, keyOf, type Labels } from "#machinery";
import { DaemonSet, Namespace, Pod } from "../core-kinds.ts";
import { DrainError } from "../errors.ts";
import { type DrainedMachine, drainRulesFor } from "./drain-rules.ts";
import { type DecisionContext, decidePod, isFinished, isOfDaemonSet, type PodDecision } from "./pod-decision.ts";

/** A Pod of a Node, and what is done with it. */
export interface DecidedPod {
  readonly pod: Pod;
  readonly decision: Exclude<PodDecision, { readonly kind: "undecidable" }>;
}

/** Where Pods, and rules about them, are read. */
export interface DrainReads extends ReadOptions {
  /** Asks the workload cluster itself. */
  readonly client: Client;
  /** Reads MachineDrainRules. */
  readonly management: Reader;
  readonly clock: Clock;
}

/** The Node whose Pods are looked at. */
export interface DrainedNode extends DrainedMachine {
  readonly nodeName: string;
  /** True where its kubelet does not answer. */
  readonly unreachable: boolean;
}

// As many as Cluster API asks for at once.
const pageSize = 100;

/** All Pods of a Node in the order of their names, each with what draining does with it. */
export async function podsOnNode(node: DrainedNode, reads: DrainReads): Promise<readonly DecidedPod[]> {
  try {
    return await decideAll(node, reads);
  } catch (error) {
    throw wrap(error, "failed to get Pods for eviction");
  }
}

async function decideAll(node: DrainedNode, reads: DrainReads): Promise<readonly DecidedPod[]> {
  const { client, clock, management } = reads;
  const signal = reads.signal === undefined ? {} : { signal: reads.signal };
  const onNode = { fieldSelector: `spec.nodeName=${node.nodeName}`, limit: pageSize, ...signal };
  const { items: pods } = await client.listAll(Pod, onNode);
  if (pods.length === 0) return [];

  const context: DecisionContext = {
    now: clock.instant(),
    unreachable: node.unreachable,
    rules: await drainRulesFor(node, management, signal),
    namespaces: await namespacesOf(client, signal),
    daemonSetOf: await daemonSetsOf(pods, client, signal),
  };
  const decided: DecidedPod[] = [];
  const failures = new Map<string, string[]>();
  for (const pod of pods.toSorted((a, b) => compareText(nameOf(a), nameOf(b)))) {
    const decision = decidePod(pod, context);
    if (decision.kind !== "undecidable") decided.push({ pod, decision });
    else failures.set(decision.error, [...(failures.get(decision.error) ?? []), nameOf(pod)]);
  }
  const errors = [...failures].map(
    ([error, names]) => new DrainError(`Pods with error ${quote(error)}: ${names.join(", ")}`),
  );
  if (errors.length > 0) throw aggregate(errors) ?? new DrainError("unexpected error");
  return decided;
}

async function namespacesOf(client: Client, options: ReadOptions): Promise<ReadonlyMap<string, Labels | undefined>> {
  const { items } = await client.listAll(Namespace, options).catch((error: unknown) => {
    throw wrap(error, "failed to list Namespaces");
  });
  return new Map(items.map(({ metadata }) => [metadata.name ?? "", metadata.labels]));
}

/** Asks once for each DaemonSet, whose Pods are often the only ones that a Node has left. */
async function daemonSetsOf(
  pods: readonly Pod[],
  client: Client,
  options: ReadOptions,
): Promise<DecisionContext["daemonSetOf"]> {
  const found = new Map<string, "present" | "gone" | { readonly error: string }>();
  for (const pod of pods.filter((one) => isOfDaemonSet(one) && !isFinished(one))) {
    const key = daemonSetKey(pod);
    if (found.has(describeKey(key))) continue;
    try {
      const present = await client.find(DaemonSet, key, options);
      found.set(describeKey(key), present === undefined ? "gone" : "present");
    } catch (error) {
      options.signal?.throwIfAborted();
      found.set(describeKey(key), { error: describeError(error) });
    }
  }
  return (pod) => found.get(describeKey(daemonSetKey(pod))) ?? "gone";
}

function daemonSetKey(pod: Pod) {
  const { namespace = "" } = pod.metadata;
  return { namespace, name: controllerOf(pod)?.name ?? "" };
}

/** `<namespace>/<name>` of a Pod. */
export function nameOf(pod: Pod): string {
  return describeKey(keyOf(pod));
}
