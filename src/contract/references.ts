import type { ContractReference } from "#api";
import { apiVersionOf, type GroupKind, type GroupVersionKind, kindOf, type KubeObject } from "#machinery";

/** A reference to any object, in a version of its own. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A reference whose version is found through the contract, to an object in the namespace of whoever refers to it. */
export type ContractVersionedObjectReference = ContractReference;

/** True where a reference names anything at all. */
export function isDefined(ref: Partial<ContractVersionedObjectReference> | undefined): boolean {
  return [ref?.apiGroup, ref?.kind, ref?.name].some((part) => part !== undefined && part !== "");
}

/** The kind that a reference names, in whatever version. */
export function groupKindOf({ apiGroup = "", kind = "" }: Partial<ContractVersionedObjectReference>): GroupKind {
  return { group: apiGroup, kind };
}

/** The kind that a reference names; an apiVersion that cannot be read leaves the kind alone. */
export function referencedKind({ apiVersion = "", kind = "" }: ObjectReference): GroupVersionKind {
  const { group, version } = kindOf({ apiVersion });
  return { group, version, kind };
}

/** A reference to an object. */
export function referenceTo(object: KubeObject): Required<ObjectReference> {
  const { kind, ...groupVersion } = kindOf(object);
  const { namespace = "", name = "" } = object.metadata;
  return { apiVersion: apiVersionOf(groupVersion), kind, namespace, name };
}

/** A reference to an object, without its version. */
export function contractReferenceTo(object: KubeObject): ContractVersionedObjectReference {
  const { group, kind } = kindOf(object);
  return { apiGroup: group, kind, name: object.metadata.name ?? "" };
}
