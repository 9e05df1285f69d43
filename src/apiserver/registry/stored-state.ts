import { decodeJson, deepFreeze, isJsonObject, type KubeObject, withCommonFields } from "#machinery";
import { byKey } from "#apiserver/collection";
import type { Store, StoredRecord } from "#apiserver/store";
import type { Change } from "#apiserver/watch";

interface Resource {
  readonly group: string;
  readonly resource: string;
}

const kinds = { create: "created", update: "updated", delete: "deleted" } as const;

/** The objects of a resource as they were at a revision, read from the store. */
export function storedState(
  store: Store,
  { group, resource }: Resource,
  revision: number,
  namespace?: string,
): readonly KubeObject[] {
  const prefix = { group, resource, ...(namespace === undefined ? {} : { namespace }) };
  return Array.from(store.at(revision, prefix), objectOf).toSorted(byKey);
}

/** Every change of a resource after a revision, read from the store. */
export function storedChanges(store: Store, { group, resource }: Resource, after: number): readonly Change[] {
  const before = new Map<string, KubeObject>();
  for (const object of storedState(store, { group, resource }, after)) {
    before.set(nameOf(object.metadata.namespace ?? "", object.metadata.name ?? ""), object);
  }
  const changes: Change[] = [];
  for (const record of store.historyFrom(after)) {
    const { key, op, revision } = record;
    if (key.group !== group || key.resource !== resource) continue;
    const { namespace, name } = key;
    const object = objectOf(record);
    const place = nameOf(namespace, name);
    changes.push({ kind: kinds[op], revision, namespace, name, object, previous: before.get(place) });
    if (op === "delete") before.delete(place);
    else before.set(place, object);
  }
  return changes;
}

// Sixteen digits or more may be an integer that a number cannot hold.
const longNumber = /\d{16}/;

/** An object out of the store, as frozen as those that come from memory. */
export function objectOf({ value }: StoredRecord): KubeObject {
  const object: unknown = longNumber.test(value) ? decodeJson(value).value : JSON.parse(value);
  if (!isKubeObject(object)) throw new TypeError("the store holds something that is not an object");
  return deepFreeze(withCommonFields(object));
}

function isKubeObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && isJsonObject(value["metadata"]) && typeof value["kind"] === "string";
}

function nameOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
