import { type Clock, describeError, formatDuration, type Logger, seconds } from "#base";
import { type Client, withDeadline } from "#client";
import { ApiError, isNotFound } from "#machinery";
import { Pod } from "../core-kinds.ts";
import { type DecidedPod, nameOf } from "./pods-on-node.ts";

/** The Pods of a Node that keeps some of them, by name and by what happens to them. */
export interface Evictions {
  /** On their way out, but still there. */
  readonly leaving: readonly string[];
  /** Could not be evicted, by why not. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
  /** Not disturbed; the Node waits for them. */
  readonly awaited: readonly string[];
  /** Evicted once those with a lower order are gone. */
  readonly later: readonly string[];
  /** Waited for once those with a lower order are gone. */
  readonly awaitedLater: readonly string[];
  /** Stay on the Node. */
  readonly ignored: readonly string[];
}

/** How Pods are evicted. */
export interface EvictionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long each Pod may take to end; as long as it says itself unless told. */
  readonly gracePeriodSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

// One pass evicts for so long; the next one goes on.
const evictionTimeout = seconds(10);

/** Asks Pods to leave: those of the lowest order that is there, because each order waits for the one before. */
export async function evictPods(decided: readonly DecidedPod[], options: EvictionOptions): Promise<Evictions> {
  const orders = decided.flatMap(({ decision }) => ("order" in decision ? [decision.order] : []));
  const lowest = Math.min(...orders);
  const groups = {
    leaving: new Array<string>(),
    awaited: new Array<string>(),
    later: new Array<string>(),
    awaitedLater: new Array<string>(),
    ignored: new Array<string>(),
  };
  const now: DecidedPod[] = [];
  for (const one of decided) {
    const { pod, decision } = one;
    const isLeaving = pod.metadata.deletionTimestamp !== undefined;
    if (decision.kind === "evict" && isLeaving) groups.leaving.push(nameOf(pod));
    else if (decision.kind === "evict" && decision.order === lowest) now.push(one);
    else if (decision.kind === "evict") groups.later.push(nameOf(pod));
    else if (decision.kind === "wait-completed")
      groups[decision.order === lowest ? "awaited" : "awaitedLater"].push(nameOf(pod));
    else groups.ignored.push(nameOf(pod));
  }
  const { evicted, failed } = await evictAll(now, options);
  return { ...groups, leaving: [...groups.leaving, ...evicted], failed };
}

/** True where nothing is left to wait for. */
export function isDrained({ leaving, failed, awaited, later, awaitedLater }: Evictions): boolean {
  return [leaving, awaited, later, awaitedLater].every(({ length }) => length === 0) && failed.size === 0;
}

async function evictAll(pods: readonly DecidedPod[], options: EvictionOptions) {
  const { clock, log, signal } = options;
  const evicted: string[] = [];
  const failed = new Map<string, string[]>();
  const fail = (why: string, name: string): void => {
    log.debug("a Pod could not be evicted", { pod: name, error: why });
    failed.set(why, [...(failed.get(why) ?? []), name]);
  };
  const end = clock.elapsed() + evictionTimeout;
  await withDeadline({ clock, timeout: evictionTimeout, signal, what: "evicting Pods" }, async (ending) => {
    for (const { pod, decision } of pods) {
      const name = nameOf(pod);
      signal?.throwIfAborted();
      if (clock.elapsed() >= end || ending.aborted) {
        fail(`eviction timeout of ${formatDuration(evictionTimeout)} reached, eviction will be retried`, name);
        continue;
      }
      const warnings = decision.kind === "evict" ? decision.warnings : [];
      log.debug("evicting a Pod", { pod: name, ...(warnings.length === 0 ? {} : { warning: warnings.join(", ") }) });
      try {
        await evict(pod, { ...options, signal: ending });
        evicted.push(name);
      } catch (error) {
        signal?.throwIfAborted();
        if (!isNotFound(error)) fail(whyNotEvicted(error), name);
      }
    }
  });
  return { evicted, failed };
}

async function evict(pod: Pod, { client, gracePeriodSeconds, signal }: EvictionOptions): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata;
  const eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { namespace, name },
    deleteOptions: gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
  };
  const calling = signal === undefined ? {} : { signal };
  await client.transport.create(Pod.resource, eviction, { subresource: "eviction", ...calling });
}

function whyNotEvicted(error: unknown): string {
  if (!(error instanceof ApiError)) return describeError(error);
  const { message = "", details } = error.status;
  const causes = details?.causes ?? [];
  // The causes name the budget and its numbers.
  if (error.httpCode === 429)
    return details === undefined ? message : `${message} ${causes.map((cause) => cause.message).join(",")}`;
  if (error.httpCode === 403 && causes.some(({ reason }) => reason === "NamespaceTerminating"))
    return "Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)";
  return message;
}
