import { type Duration, describeError, toError } from "#base";
import type { Client } from "#client";
import type { ReadOptions } from "#control";
import { describeKey, type GroupVersionKind, isNotFound, type KubeObject, type ObjectKey } from "#machinery";
import { currentContractAndApiVersion } from "./contract-version.ts";
import { getDefinitionMetadata } from "./definition-metadata.ts";
import { ExternalObjectError, ObjectReferenceNotSetError, UnresolvedReferenceError } from "./errors.ts";
import type { ObjectReader } from "./object-reader.ts";
import {
  type ContractVersionedObjectReference,
  groupKindOf,
  isDefined,
  type ObjectReference,
  referencedKind,
} from "./references.ts";

/** What a helper that brings a provider's object along hands back. */
export interface ReconcileOutput {
  /** When to look again, even if nothing changes; absent or 0 waits for a change. */
  readonly requeueAfter?: Duration;
  /** The object, where there is one. */
  readonly result?: KubeObject;
}

/** Reads the object that a reference names. A missing object is an error that `isNotFound` recognises. */
export async function getExternal(
  reader: ObjectReader,
  ref: ObjectReference | undefined,
  options: ReadOptions = {},
): Promise<KubeObject> {
  if (ref === undefined) throw new ObjectReferenceNotSetError();
  return await retrieve(reader, { kind: referencedKind(ref), key: keyOfReference(ref) }, options);
}

/** Reads the object that a reference names, in the newest version that fulfils the contract. */
export async function getObjectFromContractVersionedRef(
  reader: ObjectReader,
  ref: Partial<ContractVersionedObjectReference> | undefined,
  options: ReadOptions & { readonly namespace: string },
): Promise<KubeObject> {
  if (ref === undefined || !isDefined(ref)) throw new ObjectReferenceNotSetError();
  const { namespace, ...rest } = options;
  const kind = await resolve(reader, ref, rest);
  return await retrieve(reader, { kind, key: keyOfReference({ ...ref, namespace }) }, rest);
}

/** Deletes the object that a reference names. A missing object is an error that `isNotFound` recognises. */
export async function deleteExternal(
  client: Pick<Client, "delete">,
  ref: ObjectReference | undefined,
  options: ReadOptions = {},
): Promise<void> {
  if (ref === undefined) throw new ObjectReferenceNotSetError();
  const [kind, key] = [referencedKind(ref), keyOfReference(ref)];
  try {
    await client.delete(kind, key, options);
  } catch (cause) {
    throw new ExternalObjectError(`failed to delete ${kind.kind} ${describeKey(key)}`, { cause });
  }
}

/** The version of the kind is the contract's to choose. */
async function resolve(
  reader: ObjectReader,
  ref: Partial<ContractVersionedObjectReference>,
  options: ReadOptions,
): Promise<GroupVersionKind> {
  const groupKind = groupKindOf(ref);
  try {
    const metadata = await getDefinitionMetadata(reader, groupKind, options);
    const { apiVersion: version } = currentContractAndApiVersion(metadata);
    return { ...groupKind, version };
  } catch (cause) {
    const text = "failed to get object from ref";
    // Whoever asks for an object takes "not found" for its absence, and a missing definition says nothing about that.
    if (isNotFound(cause)) throw new UnresolvedReferenceError(`${text}: ${describeError(cause)}`);
    throw new UnresolvedReferenceError(text, { cause: toError(cause) });
  }
}

async function retrieve(
  reader: ObjectReader,
  { kind, key }: { readonly kind: GroupVersionKind; readonly key: ObjectKey },
  options: ReadOptions,
): Promise<KubeObject> {
  try {
    return await reader.get(kind, key, options);
  } catch (cause) {
    throw new ExternalObjectError(`failed to retrieve ${kind.kind} ${describeKey(key)}`, { cause });
  }
}

function keyOfReference({ namespace = "", name = "" }: ObjectReference): ObjectKey {
  return namespace === "" ? { name } : { namespace, name };
}
