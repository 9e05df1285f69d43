import type { Json, JsonObject } from "../json.ts";
import { asJson, type KubeObject, type ManagedFieldsEntry } from "../object.ts";
import { deepEqual } from "../equal.ts";
import { metadataOf } from "./written-object.ts";

/**
 * True where storing an object would change nothing but times in its managedFields: then nothing is to be stored.
 */
export function isUnchanged(live: KubeObject, next: KubeObject): boolean {
  if (live === next) return true;
  return (
    isSameOwnership(live.metadata.managedFields, next.metadata.managedFields) &&
    isSameOtherwise(asJson(live), asJson(next))
  );
}

function isSameOwnership(
  live: readonly ManagedFieldsEntry[] | undefined,
  next: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  if (live === next) return true;
  if (live === undefined || next === undefined || live.length !== next.length) return false;
  return live.every((entry, index) => {
    const other = next[index];
    return other === entry || (other !== undefined && isSameWithout("time", jsonOf(entry), jsonOf(other)));
  });
}

function isSameOtherwise(live: JsonObject, next: JsonObject): boolean {
  if (!isSameWithout("metadata", live, next)) return false;
  return isSameWithout("managedFields", metadataOf(live), metadataOf(next));
}

function isSameWithout(field: string, a: JsonObject, b: JsonObject): boolean {
  if (a === b) return true;
  for (const key in a) if (key !== field && !deepEqual(a[key], b[key])) return false;
  for (const key in b) if (key !== field && b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

function jsonOf(entry: ManagedFieldsEntry): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries hold nothing but JSON
  return entry as unknown as { readonly [key: string]: Json };
}
