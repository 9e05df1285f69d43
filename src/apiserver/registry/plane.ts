import type { DeleteOptions, GroupKind, KubeObject, ObjectKey, Status, WriteOptions } from "#machinery";
import { admissionOf, type Caller } from "#apiserver/admission";
import type { Collections } from "#apiserver/collection";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import type { Engine, Request } from "./engine.ts";
import { noSuchResource, type Resources, type Served } from "./resources.ts";
import { rewriteObject } from "./rewrite.ts";

interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** The registry as the server's own controllers use it: every resource, in the version in which it is kept. */
export interface Plane {
  readonly resources: Resources;
  /** Every object there is, served or not. */
  readonly collections: Collections;
  servedKind(kind: GroupKind): Served | undefined;
  get(resource: GroupResource, key: ObjectKey): KubeObject | undefined;
  create(resource: GroupResource, object: KubeObject): Promise<KubeObject>;
  /** Changes an object as often as it takes; giving it back as it is changes nothing. */
  rewrite(
    resource: GroupResource,
    key: ObjectKey,
    next: (old: KubeObject) => KubeObject,
    options?: Pick<WriteOptions, "subresource">,
  ): Promise<KubeObject>;
  delete(resource: GroupResource, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject | Status>;
  /** Deletes without asking plugins: what is over is over, whatever they think of it. */
  remove(resource: GroupResource, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject | Status>;
}

const ourselves: Caller = { name: "system:apiserver", groups: ["system:masters"] };

export function planeOf(engine: Engine, collections: Collections): Plane {
  const { resources } = engine;
  const unasked: Engine = { ...engine, admission: admissionOf([]) };
  return {
    resources,
    collections,
    servedKind: ({ group, kind }) => {
      for (const served of resources.all()) {
        if (served.definition.group === group && served.definition.kind === kind) return served;
      }
      return undefined;
    },
    get: (resource, { namespace = "", name }) => resources.find(resource)?.collection.get(namespace, name),
    async create(resource, object) {
      return await createObject(engine, requestFor(resource, {}), object);
    },
    async rewrite(resource, { namespace = "", name }, next, options = {}) {
      return await rewriteObject(engine, requestFor(resource, options), { namespace, name, next });
    },
    async delete(resource, key, options = {}) {
      return await deleteObject(engine, requestFor(resource, options), key);
    },
    async remove(resource, key, options = {}) {
      return await deleteObject(unasked, requestFor(resource, options), key);
    },
  };

  function requestFor<Options extends object>(resource: GroupResource, options: Options): Request<Options> {
    const served = resources.find(resource);
    const version = served?.definition.versions.find((each) => each.version === served.definition.storageVersion);
    if (served === undefined || version === undefined) throw noSuchResource();
    return {
      target: { ...served, version },
      caller: ourselves,
      options: { fieldManager: "kube-apiserver", ...options },
    };
  }
}
