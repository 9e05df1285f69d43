import { isConflict, isNotFound, type KubeObject } from "#machinery";
import type { Collection } from "#apiserver/collection";
import { createWorker, type Worker, type WorkerOptions } from "#apiserver/collect";
import type { Plane } from "#apiserver/registry";
import { asDefinition, cleanupFinalizer, type CustomResourceDefinition, definitions, hasCondition } from "./crd.ts";
import { customResource } from "./custom-resource.ts";
import { decideNames, type TakenNames, withConditions } from "./names.ts";

/**
 * Serves what CustomResourceDefinitions say, as long as they say it: accepts their names, serves them once they are
 * established, follows their changes, and removes all objects before a definition goes.
 */
export function serveCustomResources(plane: Plane, options: Omit<WorkerOptions, "name" | "work">): Worker {
  const { clock } = options;
  const { collections } = plane;
  const served = new Map<string, CustomResourceDefinition>();
  const worker = createWorker({ ...options, name: "custom resource definition", work });
  for (const object of collections.of(definitions).list()) {
    follow(asDefinition(object));
    worker.add(object.metadata.name ?? "");
  }
  collections.observe((collection, { kind, name, object }) => {
    if (collection.group !== definitions.group || collection.resource !== definitions.resource) {
      if (kind === "deleted") wakeTerminating(collection);
      return;
    }
    if (kind === "deleted") forget(name);
    else {
      // Served from the moment it is established, so that whoever waits for that can use it at once.
      follow(asDefinition(object));
      worker.add(name);
    }
  });
  return worker;

  function follow(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name ?? "";
    const before = served.get(name);
    if (!hasCondition(crd, "Established")) return;
    served.set(name, crd);
    if (before !== undefined && before.spec === crd.spec) return;
    const definition = customResource(crd);
    plane.resources.put({ definition, collection: collections.of(definition) });
  }

  /** The last object of a definition that is being deleted may have gone. */
  function wakeTerminating({ group, resource }: Collection): void {
    const name = `${resource}.${group}`;
    if (served.get(name)?.metadata.deletionTimestamp !== undefined) worker.add(name);
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
    if (crd.metadata.deletionTimestamp === undefined) await acceptNames(name, crd);
    else if ((crd.metadata.finalizers ?? []).includes(cleanupFinalizer)) await cleanUp(name, crd);
  }

  async function acceptNames(name: string, crd: CustomResourceDefinition): Promise<void> {
    const decision = decideNames(crd, takenNames(crd));
    await rewrite(name, "status", (current) => {
      const { conditions, ...status } = current.status ?? {};
      const set = [decision.namesAccepted, decision.established];
      return {
        ...current,
        status: {
          ...status,
          acceptedNames: decision.acceptedNames,
          conditions: withConditions(conditions ?? [], set, clock.now()),
        },
      };
    });
  }

  /** Names of other definitions of the group, and of built-in kinds in it. */
  function takenNames(crd: CustomResourceDefinition): TakenNames {
    const resources = new Set<string>();
    const kinds = new Set<string>();
    for (const { definition } of plane.resources.all()) {
      if (definition.group !== crd.spec.group || definition.resource === crd.spec.names.plural) continue;
      for (const each of [definition.resource, definition.singular, ...definition.shortNames]) resources.add(each);
      for (const each of [definition.kind, definition.listKind]) kinds.add(each);
    }
    return { resources, kinds };
  }

  /** Deletes all objects of a definition, then lets the definition go. */
  async function cleanUp(name: string, crd: CustomResourceDefinition): Promise<void> {
    const resource = { group: crd.spec.group, resource: crd.spec.names.plural };
    await deleteAll(resource);
    // What finalizers still hold back comes here again with its end.
    if ((plane.resources.find(resource)?.collection.size ?? 0) > 0) return;
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
        await plane.delete(resource, { namespace, name });
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
