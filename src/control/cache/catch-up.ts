import {
  compareResourceVersions,
  type GroupVersionResource,
  isNotFound,
  keyOf,
  type KubeList,
  type KubeObject,
  type ListOptions,
  namespacedName,
  type Transport,
} from "#machinery";
import type { Follower } from "./follower.ts";
import type { HeldObjects } from "./held-objects.ts";
import type { Pulse } from "./pulse.ts";

/** Who catches up with what. */
export interface CatchUp<Obj extends KubeObject> {
  readonly transport: Pick<Transport, "list">;
  readonly resource: GroupVersionResource;
  readonly selectors: Pick<ListOptions, "labelSelector" | "fieldSelector">;
  readonly follower: Follower<Obj>;
  readonly held: HeldObjects<Obj>;
  readonly pulse: Pulse;
}

/**
 * Waits until a follower has brought in all that the server has now. No time needs to pass: what the server has is asked
 * for, and whatever is missing is on its way.
 */
export async function catchUp<Obj extends KubeObject>(
  { transport, resource, selectors, follower, held, pulse }: CatchUp<Obj>,
  { signal, stopped }: { readonly signal: AbortSignal | undefined; readonly stopped: AbortSignal },
): Promise<void> {
  const { reached, namespace } = follower;
  const asked = { ...selectors, namespace, metadataOnly: true, ...(signal === undefined ? {} : { signal }) };
  // Most of the time nothing has happened, which one object tells as well as all of them.
  const glance = await transport.list(resource, { ...asked, limit: 1 }).catch(noneWhereMissing);
  if (follower.isSynced && follower.isEvenWith(glance?.metadata.resourceVersion)) return;
  const state = await transport.list(resource, asked).catch(noneWhereMissing);
  // A server that was set back is noticed here before it tells so itself.
  const isSetBack = state !== undefined && compareResourceVersions(state.metadata.resourceVersion, reached) < 0;
  const { timesListed } = follower;
  if (isSetBack) follower.beginAnew();
  else follower.hurry();
  const isFollowing = (): boolean => follower.isSynced && (!isSetBack || follower.timesListed > timesListed);
  try {
    await pulse.until(() => isFollowing() && isAsFarAs(state, follower, held), signal, stopped);
    follower.setEvenWith(state?.metadata.resourceVersion);
  } finally {
    follower.calm();
  }
}

/** A follower that has heard of nothing newer has nevertheless caught up where it has the same. */
function isAsFarAs<Obj extends KubeObject>(
  state: KubeList | undefined,
  { reached, namespace }: Follower<Obj>,
  held: HeldObjects<Obj>,
): boolean {
  if (state === undefined) return held.all(namespace).length === 0;
  const { resourceVersion: revision = "" } = state.metadata;
  if (compareResourceVersions(reached, revision) >= 0) return true;
  // Asked after every change, of which there may be many: what can be told by counting is.
  if (held.size < state.items.length) return false;
  const here = held.all(namespace);
  const there = new Set(state.items.map((item) => namespacedName(keyOf(item))));
  return (
    state.items.every((item) => !isNewer(item, held.find(keyOf(item))?.metadata.resourceVersion)) &&
    here.every((object) => there.has(namespacedName(keyOf(object))) || isNewer(object, revision))
  );
}

/** A server that has no such collection has nothing in it. */
function noneWhereMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function isNewer({ metadata }: KubeObject, revision: string | undefined): boolean {
  return compareResourceVersions(metadata.resourceVersion, revision) > 0;
}
