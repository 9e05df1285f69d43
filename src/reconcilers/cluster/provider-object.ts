import { type Cluster, labels } from "#api";
import { CapstanError, describeError, type Next, noTime, requeueAfter, retry, seconds } from "#base";
import {
  bringAlong,
  type BroughtAlong,
  type ContractVersionedObjectReference,
  ownerReferenceTo,
  ProviderObjectGoneError,
} from "#contract";
import type { Pass } from "#control";
import type { KubeObject } from "#machinery";
import type { ClusterFacts } from "./facts.ts";
import type { ClusterPorts } from "./ports.ts";

/** How often a missing object is looked for. */
const missingRetry = seconds(30);

/** Watches an object of a provider and makes it the Cluster's; what cannot be made so is as good as unread. */
export async function bringProvider(
  pass: Pass<Cluster, ClusterFacts, ClusterPorts>,
  ref: ContractVersionedObjectReference,
  { controller }: { readonly controller: boolean },
): Promise<BroughtAlong> {
  const { object: cluster, signal } = pass;
  try {
    return await bringAlong(pass, ref, {
      owner: ownerReferenceTo(cluster, { controller }),
      labels: { [labels.clusterName]: cluster.metadata.name ?? "" },
      gathering: pass.ports.gathering ?? noTime,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CapstanError)) throw error;
    return { kind: "failed", error: describeError(error) };
  }
}

/** What is to be done about an object that is not there; `once` says what it had been, if it was there before. */
export function afterAbsence(
  { kind, name }: ContractVersionedObjectReference,
  { deleting, once }: { readonly deleting: boolean; readonly once?: string },
): Next | undefined {
  if (deleting) return undefined;
  return once === undefined
    ? requeueAfter(missingRetry, `waiting for ${kind} ${name} to exist`)
    : retry(new ProviderObjectGoneError(`${kind} has been deleted after being ${once}`));
}

/** True for an object that is on its way out. */
export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
