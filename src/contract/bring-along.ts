import type { Duration } from "#base";
import type { Client } from "#client";
import { every, isChanged, pickChanged, type Reader, type WatchFor } from "#control";
import {
  describeGroupKind,
  fieldAt,
  type GroupKind,
  kindOf,
  type KubeObject,
  type ObjectKey,
  type OwnerReference,
} from "#machinery";
import { adopt, type Adoption } from "./adopt.ts";
import { getContractVersion } from "./contract-version.ts";
import { resourceNotPaused } from "./predicates.ts";
import { readProvider } from "./provider-lookup.ts";
import { type ContractVersionedObjectReference, groupKindOf } from "./references.ts";

/** The parts of a pass that bringing an object along needs. */
export interface BringingPass {
  readonly object: KubeObject;
  readonly reader: Reader;
  readonly client: Pick<Client, "patch">;
  readonly watch: WatchFor;
  readonly signal: AbortSignal;
}

/** What became of an object that was to be brought along. */
export type BroughtAlong =
  | { readonly kind: "found"; readonly object: KubeObject; readonly contractVersion: string }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: string };

/**
 * Reads the object that a reference names, watches its kind, and makes it known as belonging to the object of the pass.
 * Changes that its owner only repeats wait for others for as long as `gathering` says; not at all unless told.
 */
export async function bringAlong(
  pass: BringingPass,
  ref: ContractVersionedObjectReference,
  { gathering, ...adoption }: Adoption & { readonly gathering?: Duration },
): Promise<BroughtAlong> {
  const { reader, client, signal } = pass;
  const { namespace = "" } = pass.object.metadata;
  const read = await readProvider(reader, ref, { namespace, signal });
  if (read === undefined) return { kind: "absent" };
  if (read.kind !== "found") return read;
  const owner = kindOf(pass.object);
  await pass.watch(kindOf(read.object), (changed) => ownersOf(changed, owner), {
    predicate: every(isChanged, resourceNotPaused),
    urgent: pickChanged(steppingStones),
    ...(gathering === undefined ? {} : { gathering }),
  });
  const object = await adopt(client, read.object, adoption);
  return { kind: "found", object, contractVersion: await getContractVersion(reader, groupKindOf(ref), { signal }) };
}

/** What an owner waits for in an object of a provider; all else it only repeats. */
function steppingStones(object: KubeObject): unknown {
  const { deletionTimestamp } = object.metadata;
  // The last one is the older contract's.
  return [deletionTimestamp, fieldAt(object, "status", "initialization"), fieldAt(object, "status", "ready")];
}

/** Which objects of a kind own another one, by its owner references. */
export function ownersOf({ metadata }: KubeObject, kind: GroupKind): readonly ObjectKey[] {
  const { namespace = "" } = metadata;
  const isOfKind = (owner: OwnerReference) => describeGroupKind(kindOf(owner)) === describeGroupKind(kind);
  return (metadata.ownerReferences ?? []).filter(isOfKind).map(({ name }) => ({ namespace, name }));
}

/** A reference to an owner, as it stands on what it owns. */
export function ownerReferenceTo(owner: KubeObject, { controller }: { readonly controller: boolean }): OwnerReference {
  const { name = "", uid = "" } = owner.metadata;
  const { apiVersion, kind } = owner;
  return controller
    ? { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
    : { apiVersion, kind, name, uid };
}
