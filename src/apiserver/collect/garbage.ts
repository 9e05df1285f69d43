import {
  isConflict,
  isNotFound,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
  parseGroupVersion,
} from "#machinery";
import type { Collection } from "#apiserver/collection";
import type { Change } from "#apiserver/watch";
import { foregroundFinalizer, orphanFinalizer, type Plane } from "#apiserver/registry";
import { type GraphNode, OwnerGraph } from "./owner-graph.ts";
import { createWorker, type Worker, type WorkerOptions } from "./worker.ts";

/**
 * Removes what nobody owns any more: dependents go after their owner, before it, or are set free, as the delete of the
 * owner asked. All objects are in memory, so that whether an owner exists is known and need not be looked up.
 */
export function collectGarbage(plane: Plane, options: Omit<WorkerOptions, "name" | "work">): Worker {
  const graph = new OwnerGraph();
  let loaded: Promise<void> | undefined;
  const work = async (uid: string) => {
    // Nothing can be called ownerless before everything has been seen.
    await (loaded ??= load(plane, graph, worker));
    await examine(plane, graph, uid);
  };
  const worker: Worker = createWorker({ ...options, name: "garbage collection", work });
  plane.collections.observe((collection, change) => notice(graph, worker, collection, change));
  worker.add(everything);
  return worker;
}

// Stands for no object: asked for first, so that the graph is loaded soon after the start.
const everything = "";

const readAtOnce = 200;

/** Takes in what was there before the start, a little at a time, so that nobody has to wait for it. */
async function load(plane: Plane, graph: OwnerGraph, worker: Worker): Promise<void> {
  for (const collection of plane.collections.all()) {
    const keys = collection.keys();
    for (let from = 0; from < keys.length; from += readAtOnce) {
      for (const { namespace, name } of keys.slice(from, from + readAtOnce)) {
        const object = collection.get(namespace, name);
        if (object === undefined) continue;
        const { ownerReferences = [], deletionTimestamp, uid = "" } = object.metadata;
        graph.put(collection, object);
        if (ownerReferences.length > 0 || deletionTimestamp !== undefined) worker.add(uid);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Keeps the graph as it is, and finds out who has to be looked at. */
function notice(graph: OwnerGraph, worker: Worker, collection: Collection, { kind, object }: Change): void {
  const { uid = "" } = object.metadata;
  if (kind !== "deleted") {
    const before = graph.put(collection, object);
    const owners = object.metadata.ownerReferences ?? [];
    if (object.metadata.deletionTimestamp !== undefined || (owners.length > 0 && before?.owners !== owners))
      worker.add(uid);
    return;
  }
  const gone = graph.get(uid);
  graph.remove(uid);
  for (const dependent of graph.dependentsOf(uid)) worker.add(dependent.uid);
  for (const owner of gone?.owners ?? []) if (graph.get(owner.uid)?.deleting === true) worker.add(owner.uid);
}

/** Does what is to be done about one object. */
async function examine(plane: Plane, graph: OwnerGraph, uid: string): Promise<void> {
  const node = graph.get(uid);
  if (node === undefined) return;
  if (node.deleting && node.finalizers.includes(orphanFinalizer)) await setFree(plane, graph, node);
  else if (node.deleting && node.finalizers.includes(foregroundFinalizer))
    await deleteDependentsFirst(plane, graph, node);
  else if (!node.deleting && node.owners.length > 0) await judgeDependent(plane, graph, node);
}

/** Takes an owner away from all its dependents, then lets it go. */
async function setFree(plane: Plane, graph: OwnerGraph, owner: GraphNode): Promise<void> {
  for (const dependent of graph.dependentsOf(owner.uid)) await dropOwners(plane, dependent, new Set([owner.uid]));
  await dropFinalizer(plane, owner, orphanFinalizer);
}

/** Deletes dependents, and lets their owner go when none that blocks it is left. */
async function deleteDependentsFirst(plane: Plane, graph: OwnerGraph, owner: GraphNode): Promise<void> {
  const dependents = graph.dependentsOf(owner.uid);
  const blocking = dependents.filter(({ owners }) =>
    owners.some(({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true),
  );
  if (blocking.length === 0) {
    await dropFinalizer(plane, owner, foregroundFinalizer);
    return;
  }
  for (const dependent of dependents) if (!dependent.deleting) await judgeDependent(plane, graph, dependent);
}

/** Decides whether an object may stay: an owner that is there keeps it, owners that are gone are forgotten. */
async function judgeDependent(plane: Plane, graph: OwnerGraph, node: GraphNode): Promise<void> {
  const standing = node.owners.map((owner) => standingOf(plane, graph, node, owner));
  const lost = node.owners.filter((_, index) => standing[index] !== "solid");
  if (lost.length === 0) return;
  if (standing.includes("solid")) {
    await dropOwners(plane, node, new Set(lost.map(({ uid }) => uid)));
    return;
  }
  const waiting = standing.includes("waiting") && graph.dependentsOf(node.uid).length > 0;
  await remove(plane, node, waiting ? "Foreground" : policyOf(node));
}

/** What there is of an owner: it stands, it is gone, or it waits for its dependents to go. */
function standingOf(
  plane: Plane,
  graph: OwnerGraph,
  dependent: GraphNode,
  owner: OwnerReference,
): "solid" | "gone" | "waiting" {
  const { group } = parseGroupVersion(owner.apiVersion);
  const served = plane.servedKind({ group, kind: owner.kind });
  // Nobody can tell whether an owner of an unknown kind exists, so that its dependents are left alone.
  if (served === undefined) return "solid";
  const node = graph.get(owner.uid);
  const reachable = node !== undefined && (node.namespace === "" || node.namespace === dependent.namespace);
  if (!reachable || node.resource !== served.collection.resource || node.group !== group) return "gone";
  return node.deleting && node.finalizers.includes(foregroundFinalizer) ? "waiting" : "solid";
}

function policyOf({ finalizers }: GraphNode): "Background" | "Foreground" | "Orphan" {
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}

async function remove(
  plane: Plane,
  { group, resource, namespace, name, uid }: GraphNode,
  propagationPolicy: "Background" | "Foreground" | "Orphan",
): Promise<void> {
  const preconditions = { uid };
  await unlessGone(plane.delete({ group, resource }, { namespace, name }, { propagationPolicy, preconditions }));
}

async function dropOwners(plane: Plane, node: GraphNode, uids: ReadonlySet<string>): Promise<void> {
  await rewriteMetadata(plane, node, ({ ownerReferences = [], ...metadata }) => {
    const kept = ownerReferences.filter(({ uid }) => !uids.has(uid));
    return kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept };
  });
}

async function dropFinalizer(plane: Plane, node: GraphNode, finalizer: string): Promise<void> {
  await rewriteMetadata(plane, node, ({ finalizers = [], ...metadata }) => {
    const kept = finalizers.filter((each) => each !== finalizer);
    return kept.length === 0 ? metadata : { ...metadata, finalizers: kept };
  });
}

async function rewriteMetadata(
  plane: Plane,
  { group, resource, namespace, name, uid }: GraphNode,
  change: (metadata: ObjectMeta) => ObjectMeta,
): Promise<void> {
  const next = (old: KubeObject) => (old.metadata.uid === uid ? { ...old, metadata: change(old.metadata) } : old);
  await unlessGone(plane.rewrite({ group, resource }, { namespace, name }, next));
}

/** What was to be changed may be gone by then, which is just as well. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
