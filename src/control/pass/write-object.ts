import type { ServedKind } from "#client";
import {
  deepEqual,
  fieldAt,
  type JsonObject,
  type JsonObjectDraft,
  keyOf,
  type KubeObject,
  mergePatchBetween,
} from "#machinery";
import { type Drafts, metadataOf } from "./active-pass.ts";
import type { PassClient } from "./pass.ts";

// A merge patch replaces a list as a whole, so that somebody else's entry would be lost without a look at the version.
const wholeLists = ["finalizers", "ownerReferences"];

/** Writes what differs of metadata and spec, in one patch. Answers the object as it is then, or nothing where there was nothing to write. */
export async function writeObject<Obj extends KubeObject>(
  object: Obj,
  { metadata, spec }: Pick<Drafts, "metadata" | "spec">,
  {
    kind,
    client,
    resourceVersion,
  }: { readonly kind: ServedKind<Obj>; readonly client: PassClient; readonly resourceVersion: string | undefined },
): Promise<Obj | undefined> {
  const patch: JsonObjectDraft = {};
  const metadataPatch = metadata === undefined ? {} : mergePatchBetween(json(metadataOf(object)), json(metadata));
  if (Object.keys(metadataPatch).length > 0) {
    const locked = resourceVersion !== undefined && wholeLists.some((name) => Object.hasOwn(metadataPatch, name));
    patch["metadata"] = locked ? { ...metadataPatch, resourceVersion } : metadataPatch;
  }
  const before = fieldAt(object, "spec") ?? {};
  if (spec !== undefined && !deepEqual(before, spec)) patch["spec"] = mergePatchBetween(json(before), json(spec));
  if (Object.keys(patch).length === 0) return undefined;
  return await client.patch(kind, keyOf(object), { kind: "merge", patch });
}

function json(value: unknown): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts of objects are plain data
  return value as JsonObject;
}
