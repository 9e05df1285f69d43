import { kindOf } from "./group-version-kind.ts";
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

/** The references without those that name this owner. */
export function withoutOwner(
  owners: readonly OwnerReference[] | undefined,
  owner: OwnerIdentity,
): readonly OwnerReference[] {
  return owners?.filter((reference) => !isSameOwner(reference, owner)) ?? [];
}

/** True where two references name the same owner: the same group, kind and name. */
export function isSameOwner(a: OwnerIdentity, b: OwnerIdentity): boolean {
  return a.name === b.name && a.kind === b.kind && kindOf(a).group === kindOf(b).group;
}
