import { type Client, createClient, type RestMapper } from "#client";
import type { Reader } from "#control";
import {
  ApiError,
  applyMergePatch,
  asJson,
  describeGroupResource,
  type DiscoveredResource,
  type GroupVersionKind,
  type GroupVersionResource,
  type Json,
  kindOf,
  type KubeList,
  type KubeObject,
  notFound,
  type ObjectKey,
  type Patch,
  type Transport,
} from "#machinery";

/** Objects of a case, as an API server would keep them that checks nothing. */
export interface ClassStore {
  readonly client: Client;
  readonly reader: Reader;
  /** All objects as they are now. */
  objects(): readonly KubeObject[];
}

/** Keeps the objects of a case; resources are named as the files of vectors name them, with an s at the end of the kind. */
export function classStore(objects: readonly KubeObject[]): ClassStore {
  const stored = new Map(objects.map((object) => [placeOf(resourceOf(kindOf(object)), keyIn(object)), object]));
  const transport = transportOver(stored);
  const client = createClient(transport, { mapper: mapperByName });
  return {
    client,
    reader: {
      get: (kind, key, rest) => client.get(kind, key, rest),
      find: (kind, key, rest) => client.find(kind, key, rest),
      list: async (kind, rest) => (await client.list(kind, rest)).items,
    },
    objects: () => [...stored.values()],
  };
}

function transportOver(stored: Map<string, KubeObject>): Transport {
  const get = (resource: GroupVersionResource, key: ObjectKey): KubeObject => {
    const object = stored.get(placeOf(resource, key));
    if (object === undefined) throw notFound(resource, key.name);
    return object;
  };
  const all = ({ group, resource }: GroupVersionResource): readonly KubeObject[] =>
    [...stored.values()].filter((object) => {
      const own = resourceOf(kindOf(object));
      return own.group === group && own.resource === resource;
    });
  return {
    get: (resource, key) => settled(() => get(resource, key)),
    list: (resource) => settled(() => listOf(all(resource))),
    patch: (resource, key, patch) =>
      settled(() => {
        const patched = mergedWith(get(resource, key), patch);
        stored.set(placeOf(resource, key), patched);
        return patched;
      }),
    discover: () => settled(() => []),
    watch: () => refused("watch"),
    create: () => settled(() => refused("create")),
    update: () => settled(() => refused("update")),
    apply: () => settled(() => refused("apply")),
    delete: () => settled(() => refused("delete")),
    deleteCollection: () => settled(() => refused("deletecollection")),
  };
}

function settled<T>(call: () => T): Promise<T> {
  return Promise.resolve().then(call);
}

function refused(verb: string): never {
  throw new ApiError({ httpCode: 405, reason: "MethodNotAllowed", message: `this store does not ${verb}` });
}

function mergedWith(object: KubeObject, patch: Patch): KubeObject {
  if (patch.kind !== "merge") return refused(`take ${patch.kind} patches`);
  const merged: Json = applyMergePatch(asJson(object), patch.patch);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with a patch on it is an object
  return merged as unknown as KubeObject;
}

function resourceOf({ group, version, kind }: GroupVersionKind): GroupVersionResource {
  return { group, version, resource: plurals.get(kind) ?? `${kind.toLowerCase()}s` };
}

// The kinds of Kubernetes and of Cluster API are declared with their real names.
const plurals: ReadonlyMap<string, string> = new Map([["ClusterClass", "clusterclasses"]]);

function placeOf(resource: GroupVersionResource, { namespace = "", name }: ObjectKey): string {
  return `${describeGroupResource(resource)}/${namespace}/${name}`;
}

function keyIn({ metadata: { namespace = "", name = "" } }: KubeObject): ObjectKey {
  return { namespace, name };
}

function listOf(items: readonly KubeObject[]): KubeList {
  return { apiVersion: "v1", kind: "List", metadata: {}, items };
}

const clusterWide: ReadonlySet<string> = new Set(["Namespace", "CustomResourceDefinition", "ExtensionConfig"]);

/** Maps every kind, also those of which the case has no object. */
const mapperByName: RestMapper = {
  resourceOf: ({ group, kind, version = "" }) => settled(() => discovered({ group, version, kind })),
  kindOf: ({ resource }) => settled(() => refused(`know the kind of ${resource}`)),
  all: () => settled(() => []),
  forget: () => {},
};

function discovered(kind: GroupVersionKind): DiscoveredResource {
  return {
    ...kind,
    resource: resourceOf(kind).resource,
    singular: "",
    namespaced: !clusterWide.has(kind.kind),
    verbs: ["get", "list", "patch"],
    shortNames: [],
    categories: [],
    subresources: ["status"],
    preferred: true,
  };
}
