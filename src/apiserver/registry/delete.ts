import {
  ApiError,
  conflict,
  type DeleteOptions,
  type KubeList,
  type KubeObject,
  type ListOptions,
  notFound,
  type ObjectKey,
  type Status,
} from "#machinery";
import { validated } from "./admit.ts";
import { commit } from "./commit.ts";
import type { Engine, Request } from "./engine.ts";
import { listObjects } from "./list.ts";
import type { Target } from "./resources.ts";
import { oneShownIn } from "./versions.ts";

/** Finalizers by which the garbage collector learns what is to become of dependents. */
export const foregroundFinalizer = "foregroundDeletion";
export const orphanFinalizer = "orphan";

// Enough to share a flush, few enough that a huge collection does not fill the memory with waiting writes.
const deletedAtOnce = 64;

/** Deletes an object, or marks it as deleted while finalizers hold it back. */
export async function deleteObject(
  engine: Engine,
  request: Request<DeleteOptions>,
  { namespace = "", name }: ObjectKey,
  among: "one" | "many" = "one",
): Promise<KubeObject | Status> {
  const { target, options } = request;
  const { definition, collection } = target;
  for (;;) {
    const head = collection.head(namespace, name);
    if (head === undefined) {
      // Whoever looks for it now must not find it.
      await engine.committer.caughtUp();
      throw notFound(definition, name);
    }
    checkPreconditions(target, head, options);
    const old = await oneShownIn(target, head);
    // Whoever deletes many names none of them.
    const asked = { operation: "DELETE", namespace, name: among === "one" ? name : "", oldObject: old } as const;
    await validated(engine, request, asked, undefined);
    if (collection.head(namespace, name) !== head) continue;
    const outcome = deletionOf(engine, target, head, options);
    switch (outcome.kind) {
      case "unchanged":
        return old;
      case "marked":
        return await commit(engine, request, { op: "update", namespace, name, object: outcome.object, previous: head });
      case "gone": {
        const gone = await commit(engine, request, { op: "delete", namespace, name, object: head, previous: head });
        return definition.behaviour.answersWithDeleted === true ? gone : success(target, head);
      }
    }
  }
}

/** Deletes all objects that a list would show, and answers with them. */
export async function deleteCollection(
  engine: Engine,
  request: Request<DeleteOptions & ListOptions>,
): Promise<KubeList> {
  const list = await listObjects(engine, request);
  for (let from = 0; from < list.items.length; from += deletedAtOnce) {
    await Promise.all(
      list.items.slice(from, from + deletedAtOnce).map(async ({ metadata }) => {
        const { namespace = "", name = "" } = metadata;
        try {
          await deleteObject(engine, request, { namespace, name }, "many");
        } catch (error) {
          // Somebody else was faster: that is what was asked for.
          if (!(error instanceof ApiError) || error.reason !== "NotFound") throw error;
        }
      }),
    );
  }
  return list;
}

type Outcome =
  | { readonly kind: "unchanged" }
  | { readonly kind: "marked"; readonly object: KubeObject }
  | { readonly kind: "gone" };

function deletionOf(engine: Engine, { definition }: Target, head: KubeObject, options: DeleteOptions): Outcome {
  const { finalizers = [], deletionTimestamp, generation } = head.metadata;
  const wanted = finalizersFor(finalizers, options.propagationPolicy);
  const { heldBack, markDeleted } = definition.behaviour;
  if (wanted.length === 0 && heldBack?.(head) !== true) return { kind: "gone" };
  const sameFinalizers = wanted.join() === finalizers.join();
  if (deletionTimestamp !== undefined) {
    if (sameFinalizers) return { kind: "unchanged" };
    return { kind: "marked", object: { ...head, metadata: { ...head.metadata, finalizers: wanted } } };
  }
  const metadata = {
    ...head.metadata,
    ...(wanted.length === 0 ? {} : { finalizers: wanted }),
    deletionTimestamp: engine.clock.now(),
    deletionGracePeriodSeconds: 0,
    ...(generation === undefined ? {} : { generation: generation + 1 }),
  };
  const marked = { ...head, metadata };
  return { kind: "marked", object: markDeleted?.(marked) ?? marked };
}

/** A policy sets its own finalizer and takes the other one away; without one, both stay as they are. */
function finalizersFor(finalizers: readonly string[], policy: DeleteOptions["propagationPolicy"]): readonly string[] {
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((each) => each !== foregroundFinalizer && each !== orphanFinalizer);
  if (policy === "Background") return others;
  return [...others, policy === "Foreground" ? foregroundFinalizer : orphanFinalizer];
}

function checkPreconditions({ definition }: Target, head: KubeObject, { preconditions }: DeleteOptions): void {
  const { uid = "", resourceVersion = "", name = "" } = head.metadata;
  const what = { group: definition.group, resource: definition.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(what, name, why);
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(what, name, why);
  }
}

function success({ definition }: Target, { metadata }: KubeObject): Status {
  const { name = "", uid = "" } = metadata;
  const { group, resource: kind } = definition;
  const details = { name, ...(group === "" ? {} : { group }), kind, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
