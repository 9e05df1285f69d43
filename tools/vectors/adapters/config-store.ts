import { ExtensionConfig } from "#api";
import { ContextError } from "#base";
import { type Client, createClient } from "#client";
import type { Condition } from "#conditions";
import type { Reader } from "#control";
import {
  applyMergePatch,
  asJson,
  type DiscoveredResource,
  fieldAt,
  type GroupVersionResource,
  type KubeObject,
  notFound,
  type ObjectKey,
  type Transport,
} from "#machinery";

/** The failures that a case asks for. */
export interface StoreFailures {
  /** Of reading ExtensionConfigs. */
  readonly getError?: string;
  /** Of every write. */
  readonly patchError?: string;
}

/** The ExtensionConfigs and Secrets of a case, as an API server would keep them that checks nothing. */
export interface ConfigStore {
  readonly client: Client;
  readonly reader: Reader;
  config(name: string): ExtensionConfig | undefined;
  readonly configs: readonly ExtensionConfig[];
  /** Whether somebody tried to write. */
  readonly wrote: { readonly object: boolean; readonly status: boolean };
}

/** Keeps the objects of a case and writes down who writes. */
export function configStore(
  objects: readonly KubeObject[],
  { getError = "", patchError = "" }: StoreFailures = {},
): ConfigStore {
  const stored = new Map(objects.map((object) => [`${object.kind} ${placeIn(object.metadata)}`, object]));
  const wrote = { object: false, status: false };
  const transport: Transport = {
    get: (resource, key) =>
      settled(() => {
        if (getError !== "" && kindOf(resource) === "ExtensionConfig") throw new ContextError(getError);
        return find(resource, key);
      }),
    list: (resource) => settled(() => ({ ...listHead, items: all(kindOf(resource)) })),
    discover: () =>
      settled(() => [discovered("Secret", "", true), discovered("ExtensionConfig", ExtensionConfig.group)]),
    patch: (resource, key, patch, { subresource = "" } = {}) =>
      settled(() => {
        noteWrite(subresource);
        if (patch.kind !== "merge") throw refused(`a ${patch.kind} patch`);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with a patch on it is an object
        return put(resource, key, applyMergePatch(asJson(find(resource, key)), patch.patch) as unknown as KubeObject);
      }),
    apply: (resource, object, { subresource = "" }) =>
      settled(() => {
        noteWrite(subresource);
        const key = { name: object.metadata.name ?? "" };
        return put(resource, key, withConditions(find(resource, key), object));
      }),
    watch: () => {
      throw refused("watch");
    },
    create: () => settled(() => Promise.reject(refused("create"))),
    update: () => settled(() => Promise.reject(refused("update"))),
    delete: () => settled(() => Promise.reject(refused("delete"))),
    deleteCollection: () => settled(() => Promise.reject(refused("deletecollection"))),
  };
  const client = createClient(transport, { fieldOwner: "manager" });
  return {
    client,
    reader: {
      get: (kind, key, rest) => client.get(kind, key, rest),
      find: (kind, key, rest) => client.find(kind, key, rest),
      list: async (kind, { indexed, ...rest } = {}) => {
        const { items } = await client.list(kind, rest);
        return indexed === undefined
          ? items
          : items.filter((item) => indexed.by.valuesOf(item).includes(indexed.value));
      },
    },
    config: (name) => configs().find(({ metadata }) => metadata.name === name),
    get configs() {
      return configs();
    },
    wrote,
  };

  function configs(): readonly ExtensionConfig[] {
    return all("ExtensionConfig").filter((object): object is ExtensionConfig => ExtensionConfig.is(object));
  }

  function all(kind: string): readonly KubeObject[] {
    return [...stored.values()].filter((object) => object.kind === kind);
  }

  function find(resource: GroupVersionResource, key: ObjectKey): KubeObject {
    const object = stored.get(`${kindOf(resource)} ${placeIn(key)}`);
    if (object === undefined) throw notFound(resource, key.name);
    return object;
  }

  function put(resource: GroupVersionResource, key: ObjectKey, object: KubeObject): KubeObject {
    stored.set(`${kindOf(resource)} ${placeIn(key)}`, object);
    return object;
  }

  function noteWrite(subresource: string): void {
    if (subresource === "") wrote.object = true;
    else wrote.status = true;
    if (patchError !== "") throw new ContextError(patchError);
  }
}

const listHead = { apiVersion: "v1", kind: "List", metadata: {} };

function kindOf({ resource }: GroupVersionResource): string {
  return resource === "secrets" ? "Secret" : "ExtensionConfig";
}

/** Cluster-scoped objects have no namespace, though some cases give them one. */
function placeIn({ namespace = "", name = "" }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace}/${name}`;
}

function settled<T>(call: () => T | Promise<T>): Promise<T> {
  return Promise.resolve().then(call);
}

function refused(what: string): ContextError {
  return new ContextError(`this store takes no ${what}`);
}

function discovered(kind: string, group: string, namespaced = false): DiscoveredResource {
  return {
    group,
    version: group === "" ? "v1" : ExtensionConfig.version,
    kind,
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    namespaced,
    verbs: ["get", "list", "patch"],
    shortNames: [],
    categories: [],
    subresources: ["status"],
    preferred: true,
  };
}

/** The conditions of one object over those of another, by their type. Nobody else owns any here. */
function withConditions(object: KubeObject, applied: KubeObject): KubeObject {
  const given = conditionsIn(applied);
  const others = conditionsIn(object).filter(({ type }) => given.every((one) => one.type !== type));
  const status = fieldAt(object, "status");
  return { ...object, status: { ...(typeof status === "object" ? status : {}), conditions: [...given, ...others] } };
}

function conditionsIn(object: KubeObject): readonly Condition[] {
  const conditions = fieldAt(object, "status", "conditions");
  return Array.isArray(conditions) ? conditions : [];
}
