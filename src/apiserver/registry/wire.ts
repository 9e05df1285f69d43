import type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  GroupVersionResource,
  KubeList,
  KubeObject,
  ListOptions,
  ObjectKey,
  Patch,
  Status,
  WatchOptions,
} from "#machinery";
import type { Caller } from "#apiserver/admission";
import { applyObject } from "./apply.ts";
import type { BodyOptions } from "./body.ts";
import { createObject } from "./create.ts";
import { deleteCollection, deleteObject } from "./delete.ts";
import type { Engine } from "./engine.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import { rescale } from "./scale.ts";
import { readObject, requestOf } from "./transport.ts";
import { updateObject } from "./update.ts";
import { openWatch, type Watching } from "./watch.ts";

/**
 * The registry as the wire needs it: bodies are whatever a client sent, names come from the path and not from the body,
 * and a write tells whether it made a new object.
 */
export interface Wire {
  get(resource: GroupVersionResource, key: ObjectKey, options: GetOptions): Promise<KubeObject>;
  list(resource: GroupVersionResource, options: ListOptions): Promise<KubeList>;
  watch(resource: GroupVersionResource, options: WatchOptions): Promise<Watching>;
  create(resource: GroupVersionResource, namespace: string, body: unknown, options: BodyOptions): Promise<KubeObject>;
  update(resource: GroupVersionResource, key: ObjectKey, body: unknown, options: BodyOptions): Promise<KubeObject>;
  patch(resource: GroupVersionResource, key: ObjectKey, patch: Patch, options: BodyOptions): Promise<KubeObject>;
  apply(
    resource: GroupVersionResource,
    key: ObjectKey,
    body: unknown,
    options: ApplyOptions & BodyOptions,
  ): Promise<KubeObject>;
  delete(resource: GroupVersionResource, key: ObjectKey, options: DeleteOptions): Promise<KubeObject | Status>;
  deleteCollection(resource: GroupVersionResource, options: DeleteOptions & ListOptions): Promise<KubeList>;
}

/** The registry as one caller reaches it over the wire. */
export function wireFor(engine: Engine, caller: Caller): Wire {
  return {
    get: (resource, key, options) => readObject(engine, requestOf(engine, caller, resource, options, key.name), key),
    list: (resource, options) => listObjects(engine, requestOf(engine, caller, resource, options)),
    watch: (resource, options) => openWatch(engine, () => requestOf(engine, caller, resource, options), "gathered"),
    create: (resource, namespace, body, options) =>
      createObject(engine, requestOf(engine, caller, resource, options), body, namespace),
    async update(resource, key, body, options) {
      const request = requestOf(engine, caller, resource, options, key.name);
      if (options.subresource === "scale") return await rescale(engine, request, key, { kind: "replace", scale: body });
      return await updateObject(engine, request, key, body);
    },
    async patch(resource, key, patch, options) {
      const request = requestOf(engine, caller, resource, options, key.name);
      if (options.subresource === "scale") return await rescale(engine, request, key, { kind: "patch", patch });
      return await patchObject(engine, request, key, patch);
    },
    async apply(resource, key, body, options) {
      const request = requestOf(engine, caller, resource, options, key.name);
      if (options.subresource === "scale") {
        return await rescale(engine, request, key, { kind: "apply", configuration: body });
      }
      return await applyObject(engine, request, key, body);
    },
    delete: (resource, key, options) => deleteObject(engine, requestOf(engine, caller, resource, options), key),
    deleteCollection: (resource, options) => deleteCollection(engine, requestOf(engine, caller, resource, options)),
  };
}
