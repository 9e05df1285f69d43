import type { Timestamp } from "#base";
import type { JsonObject } from "./json.ts";

/** An object of any kind, as the API carries it. Data is never changed in place. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** What every object says about itself. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: Timestamp | null;
  readonly deletionTimestamp?: Timestamp;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The object that another one goes with. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields one manager has set, and how. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** What a list call answers. */
export interface KubeList<T = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** Names an object within its kind. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** `<namespace>/<name>`, or the name alone where there is no namespace. */
export function describeKey({ namespace = "", name }: ObjectKey): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** `<namespace>/<name>` always: `/name` for an object without a namespace. */
export function namespacedName({ namespace = "", name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

/** The key of an object; one without a name has the empty name. */
export function keyOf({ metadata }: { readonly metadata: ObjectMeta }): ObjectKey {
  const { namespace, name = "" } = metadata;
  return namespace === undefined || namespace === "" ? { name } : { namespace, name };
}

/** Any object as plain JSON, for code that walks it. */
export function asJson(object: KubeObject): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object that came through the API holds nothing but JSON
  return object as unknown as JsonObject;
}

/** Reads a value along field names; undefined as soon as there is nothing to walk into. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}
