import {
  approvalCondition,
  claimedNames,
  type CustomResourceDefinition,
  decideNames,
  deepEqual,
  hasCondition,
  isConflict,
  isNotFound,
  type KubeObject,
} from "#machinery";
import type { Collection } from "#apiserver/collection";
import { createWorker, type Worker, type WorkerOptions } from "#apiserver/collect";
import type { Plane } from "#apiserver/registry";
import { deletionInProgress, withConditions } from "./conditions.ts";
import { asDefinition, cleanupFinalizer, definitions, isTerminating } from "./crd.ts";
import { customResource } from "./custom-resource.ts";
import type { ConversionParts } from "./webhook-conversion.ts";

/**
 * Serves what CustomResourceDefinitions say, as long as they say it: accepts their names, serves them once they are
 * established, follows their changes, and removes all objects before a definition goes.
 */
export function serveCustomResources(
  plane: Plane,
  options: Omit<WorkerOptions, "name" | "work"> & ConversionParts,
): Worker {
  const { clock, callout, uuid } = options;
  const { collections } = plane;
  const served = new Map<string, CustomResourceDefinition>();
  const worker = createWorker({ ...options, name: "custom resource definition", work });
  for (const crd of everyDefinition()) {
    follow(crd);
    worker.add(crd.metadata.name ?? "");
  }
  collections.observe((collection, { kind, name, object }) => {
    if (collection.group !== definitions.group || collection.resource !== definitions.resource) {
      if (kind === "deleted") wakeTerminating(collection);
      return;
    }
    const crd = asDefinition(object);
    if (kind === "deleted") forget(name);
    else {
      // Served from the moment it is established, so that whoever waits for that can use it at once.
      follow(crd);
      worker.add(name);
    }
    wakeWaiting(crd);
  });
  return worker;

  function everyDefinition(): readonly CustomResourceDefinition[] {
    return collections.of(definitions).list().map(asDefinition);
  }

  function follow(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name ?? "";
    const before = served.get(name);
    if (!hasCondition(crd, "Established")) return;
    served.set(name, crd);
    if (before !== undefined && isServedAlike(before, crd)) return;
    const definition = customResource(crd, { callout, uuid, isTerminating: () => isGoing(name) });
    plane.resources.put({ definition, collection: collections.of(definition) });
  }

  function isGoing(name: string): boolean {
    const crd = served.get(name);
    return crd !== undefined && isTerminating(crd);
  }

  /** The last object of a definition that is being deleted may have gone. */
  function wakeTerminating({ group, resource }: Collection): void {
    const name = `${resource}.${group}`;
    if (isGoing(name)) worker.add(name);
  }

  /** A name that another definition of the group waits for may have become free. */
  function wakeWaiting({ spec }: CustomResourceDefinition): void {
    for (const other of everyDefinition()) {
      if (other.spec.group === spec.group && !hasCondition(other, "NamesAccepted"))
        worker.add(other.metadata.name ?? "");
    }
  }

  function forget(name: string): void {
    const crd = served.get(name);
    served.delete(name);
    if (crd !== undefined) plane.resources.remove({ group: crd.spec.group, resource: crd.spec.names.plural });
  }

  async function work(name: string): Promise<void> {
    const object = plane.get(definitions, { name });
    if (object === undefined) return;
    const crd = asDefinition(object);
    if (!isTerminating(crd)) await acceptNames(name, crd);
    else if ((crd.metadata.finalizers ?? []).includes(cleanupFinalizer)) await cleanUp(name, crd);
  }

  async function acceptNames(name: string, crd: CustomResourceDefinition): Promise<void> {
    const others = everyDefinition().filter((other) => other.metadata.name !== name);
    const { acceptedNames, namesAccepted, established } = decideNames(crd, claimedNames(others, crd.spec.group));
    const approval = approvalCondition(crd);
    const set = [namesAccepted, established, ...(approval === undefined ? [] : [approval])];
    await rewrite(name, "status", (current) => ({
      ...current,
      status: {
        ...current.status,
        acceptedNames,
        conditions: withConditions(current.status?.conditions ?? [], set, clock.now()),
      },
    }));
  }

  /** Deletes all objects of a definition, then lets the definition go. */
  async function cleanUp(name: string, crd: CustomResourceDefinition): Promise<void> {
    const resource = { group: crd.spec.group, resource: crd.spec.names.plural };
    if ((plane.resources.find(resource)?.collection.size ?? 0) > 0) {
      await rewrite(name, "status", (current) => ({
        ...current,
        status: {
          ...current.status,
          conditions: withConditions(current.status?.conditions ?? [], [deletionInProgress], clock.now()),
        },
      }));
      await deleteAll(resource);
      // What finalizers still hold back comes here again with its end.
      if ((plane.resources.find(resource)?.collection.size ?? 0) > 0) return;
    }
    await rewrite(name, "", (current) => {
      const { finalizers = [], ...metadata } = current.metadata;
      const kept = finalizers.filter((each) => each !== cleanupFinalizer);
      return { ...current, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } };
    });
  }

  async function deleteAll(resource: { readonly group: string; readonly resource: string }): Promise<void> {
    for (const { metadata } of plane.resources.find(resource)?.collection.list() ?? []) {
      if (metadata.deletionTimestamp !== undefined) continue;
      const { namespace = "", name = "" } = metadata;
      try {
        await plane.remove(resource, { namespace, name });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  async function rewrite(
    name: string,
    subresource: string,
    next: (crd: CustomResourceDefinition) => KubeObject,
  ): Promise<void> {
    try {
      await plane.rewrite(definitions, { name }, (object) => next(asDefinition(object)), { subresource });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** True where two states of a definition serve the same resource in the same way. */
function isServedAlike(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return deepEqual(a.spec, b.spec) && deepEqual(a.status?.acceptedNames, b.status?.acceptedNames);
}
