import type { Client } from "#client";
import {
  deepEqual,
  describeKey,
  isSameOwner,
  keyOf,
  kindOf,
  type KubeObject,
  type OwnerReference,
  upsertOwner,
} from "#machinery";
import { AlreadyOwnedError } from "./errors.ts";

/** Whose an object of a provider becomes, and by which labels that is seen. */
export interface Adoption {
  readonly owner: OwnerReference;
  readonly labels: Readonly<Record<string, string>>;
  /** Owners that held the object only until this one came. */
  readonly without?: (owner: OwnerReference) => boolean;
}

/** Makes an object of a provider known as belonging to another; writes only what is missing. */
export async function adopt(
  client: Pick<Client, "patch">,
  object: KubeObject,
  { owner, labels, without = () => false }: Adoption,
): Promise<KubeObject> {
  const { metadata } = object;
  const kept = (metadata.ownerReferences ?? []).filter((other) => !without(other));
  const controller = kept.find((other) => other.controller === true);
  if (owner.controller === true && controller !== undefined && !isSameOwner(controller, owner)) {
    throw new AlreadyOwnedError(
      `Object ${describeKey(keyOf(object))} is already owned by another ${controller.kind} controller ${controller.name}`,
    );
  }
  const owners = upsertOwner(kept, owner);
  const missing = Object.entries(labels).filter(([label, value]) => metadata.labels?.[label] !== value);
  if (missing.length === 0 && deepEqual(owners, metadata.ownerReferences)) return object;
  const patch = {
    metadata: {
      // A list is replaced as a whole, so nobody else may have changed it meanwhile.
      resourceVersion: metadata.resourceVersion ?? null,
      ownerReferences: owners.map((reference) => ({ ...reference })),
      ...(missing.length === 0 ? {} : { labels: Object.fromEntries(missing) }),
    },
  };
  return await client.patch(kindOf(object), keyOf(object), { kind: "merge", patch });
}

const temporary = new Set(["MachineSet", "KubeadmControlPlane"]);

/** Whoever makes the objects of a Machine owns them until the Machine does, so that nothing is left over. */
export function removedOwners({ apiVersion, kind }: OwnerReference): boolean {
  return temporary.has(kind) && /(^|\.)cluster\.x-k8s\.io\//.test(apiVersion);
}
