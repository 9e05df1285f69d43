import { type GroupKind, parseGroupVersion } from "./group-version-kind.ts";
import type { ObjectMeta, OwnerReference } from "./object.ts";

/** What identifies an owner: two references with the same are the same, whatever their versions and uids. */
export type OwnerIdentity = Pick<OwnerReference, "apiVersion" | "kind" | "name">;

type Owned = { readonly metadata: ObjectMeta };

/** The owner that controls an object, if any. */
export function controllerOf({ metadata }: Owned): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** True where the object with this uid controls the other one. */
export function isControlledBy(owned: Owned, owner: Owned): boolean {
  const controller = controllerOf(owned);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** True where one of the references names this owner, in whatever version. */
export function hasOwner(owners: readonly OwnerReference[] | undefined, owner: OwnerIdentity): boolean {
  return owners?.some((reference) => isSameOwner(reference, owner)) ?? false;
}

/** The references with one more, or with the one that names the same owner replaced in its place. */
export function upsertOwner(
  owners: readonly OwnerReference[] | undefined,
  owner: OwnerReference,
): readonly OwnerReference[] {
  const all = owners ?? [];
  const index = all.findIndex((reference) => isSameOwner(reference, owner));
  return index === -1 ? [...all, owner] : all.with(index, owner);
}

/** The references with the one to an object that hands over, known by its uid, replaced; added where there is none. */
export function replaceOwner(
  owners: readonly OwnerReference[] | undefined,
  previous: Owned,
  owner: OwnerReference,
): readonly OwnerReference[] {
  // An object that was deleted and made anew under its name is another one, and must not hand over what it never had.
  const index = owners?.findIndex(({ uid }) => uid === previous.metadata.uid) ?? -1;
  return owners === undefined || index === -1 ? [...(owners ?? []), owner] : owners.with(index, owner);
}

/** The references without those that name this owner. */
export function withoutOwner(
  owners: readonly OwnerReference[] | undefined,
  owner: OwnerIdentity,
): readonly OwnerReference[] {
  return owners?.filter((reference) => !isSameOwner(reference, owner)) ?? [];
}

/** True where one of the references says exactly this: version, uid and whether it controls count as well. */
export function hasExactOwner(owners: readonly OwnerReference[] | undefined, owner: OwnerReference): boolean {
  const isExact = ({ apiVersion, kind, name, uid, controller = false }: OwnerReference): boolean =>
    apiVersion === owner.apiVersion &&
    kind === owner.kind &&
    name === owner.name &&
    uid === owner.uid &&
    controller === (owner.controller ?? false);
  return owners?.some(isExact) ?? false;
}

/** True where one of the owners of an object is this one, by group, kind and name. */
export function isOwnedBy({ metadata }: Owned, owner: Owned, { group, kind }: GroupKind): boolean {
  return (metadata.ownerReferences ?? []).some(
    (reference) =>
      reference.kind === kind && reference.name === owner.metadata.name && groupOf(reference.apiVersion) === group,
  );
}

/** True where two references name the same owner: the same group, kind and name. */
export function isSameOwner(a: OwnerIdentity, b: OwnerIdentity): boolean {
  const group = groupOf(a.apiVersion);
  return group !== undefined && a.name === b.name && a.kind === b.kind && group === groupOf(b.apiVersion);
}

/** The group of a reference; one whose apiVersion cannot be read names nobody. */
function groupOf(apiVersion: string): string | undefined {
  return apiVersion.split("/").length > 2 ? undefined : parseGroupVersion(apiVersion).group;
}
