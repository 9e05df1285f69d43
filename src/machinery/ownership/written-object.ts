import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { asJson, type KubeObject, type ManagedFieldsEntry } from "../object.ts";

/** The metadata of any object; empty where there is none. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  return isJsonObject(metadata) ? metadata : {};
}

/** An object as it is stored: with these managed fields, or without any. */
export function withManagedFields(
  object: JsonObject,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): JsonObject {
  const metadata = metadataOf(object);
  const entries = asJsonList(managedFields);
  if (metadata["managedFields"] === entries) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: entries === undefined ? rest : { ...rest, managedFields: entries } };
}

/** The object before it exists: nothing but its kind. */
export function nothingYet({ apiVersion, kind }: KubeObject): JsonObject {
  return asJson({ apiVersion, kind, metadata: {} });
}

/** A whole object that was walked as plain JSON. */
export function asObject(object: JsonObject): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of a KubeObject, whose kind and metadata it keeps
  return object as unknown as KubeObject;
}

function asJsonList(entries: readonly ManagedFieldsEntry[] | undefined): Json | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries hold nothing but JSON
  return entries as unknown as Json | undefined;
}
