import { type FieldError, invalid, required } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { InvalidGroupVersionError, parseGroupVersion } from "../group-version-kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, member } from "../json.ts";
import type { ObjectMeta } from "../object.ts";
import { validateMetadata } from "../metadata.ts";
import { pathSegmentName, rfc1035LabelName } from "../name-syntax.ts";
import { readObjectMeta } from "./embedded-metadata.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/** What is wrong with the embedded resources in a value. */
export function embeddedResourceErrors(node: SchemaNode, value: Json, path: FieldPath): readonly FieldError[] {
  if (!node.below.embedded) return [];
  if (Array.isArray(value)) return itemErrors(node.items, value, path);
  if (!isJsonObject(value)) return [];
  const here = node.embedded ? embeddedErrors(value, path) : [];
  const below = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const child = fieldNode(node, name);
      const at = node.properties.has(name) ? path.child(name) : path.key(name);
      return child === undefined ? [] : embeddedResourceErrors(child, value[name] ?? null, at);
    });
  return [...here, ...below];
}

/** What is wrong with one object as a resource: its apiVersion, its kind and its metadata. */
export function embeddedErrors(object: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...(Object.hasOwn(object, "apiVersion") ? [] : [required(path.child("apiVersion"))]),
    ...(Object.hasOwn(object, "kind") ? [] : [required(path.child("kind"))]),
    ...fieldErrors(object["apiVersion"], path.child("apiVersion"), apiVersionProblem),
    ...fieldErrors(object["kind"], path.child("kind"), kindProblem),
    ...metadataErrors(object["metadata"], path.child("metadata")),
  ];
}

/** The first embedded resource in a value whose metadata cannot even be read; such a value is refused before anything else. */
export function malformedResource(node: SchemaNode, value: Json, path: FieldPath): FieldError | undefined {
  if (!node.below.embedded) return undefined;
  if (isJsonList(value)) {
    const { items } = node;
    return items && first(value, (item, index) => malformedResource(items, item, path.index(index)));
  }
  if (!isJsonObject(value)) return undefined;
  const here = node.embedded ? malformedFields(value, path) : undefined;
  return (
    here ??
    first(Object.keys(value).toSorted(), (name) => {
      const child = fieldNode(node, name);
      const at = node.properties.has(name) ? path.child(name) : path.key(name);
      return child && malformedResource(child, value[name] ?? null, at);
    })
  );
}

function malformedFields(object: JsonObject, path: FieldPath): FieldError | undefined {
  const strange = ["apiVersion", "kind"].find((name) => {
    const value = member(object, name);
    return value !== undefined && typeof value !== "string";
  });
  if (strange !== undefined) return invalid(path.child(strange), object[strange], "must be a string");
  const metadata = member(object, "metadata");
  const malformed = metadata === undefined ? undefined : readObjectMeta(metadata).malformed;
  return malformed === undefined ? undefined : invalid(path.child("metadata"), metadata, malformed);
}

function first<T, R>(list: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of list.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function itemErrors(items: SchemaNode | undefined, list: readonly Json[], path: FieldPath): readonly FieldError[] {
  if (items === undefined) return [];
  return list.flatMap((item, index) => embeddedResourceErrors(items, item, path.index(index)));
}

function fieldErrors(
  value: Json | undefined,
  path: FieldPath,
  problemOf: (text: string) => string | undefined,
): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  const problem = value === "" ? "must not be empty" : problemOf(value);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function apiVersionProblem(apiVersion: string): string | undefined {
  try {
    parseGroupVersion(apiVersion);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidGroupVersionError) return error.message;
    throw error;
  }
}

function kindProblem(kind: string): string | undefined {
  const problems = rfc1035LabelName.name(kind.toLowerCase());
  if (problems.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

function metadataErrors(metadata: Json | undefined, path: FieldPath): readonly FieldError[] {
  if (metadata === undefined) return [];
  const reading = readObjectMeta(metadata);
  if (reading.malformed !== undefined) return [invalid(path, metadata, reading.malformed)];
  // Nobody demands a name or a namespace of what is embedded; what it has must be spelled right.
  const { name = "nameless", namespace = "", ...rest } = asObjectMeta(reading.metadata);
  const named = { ...rest, name, ...(namespace === "" ? {} : { namespace }) };
  return validateMetadata(named, { namespaced: namespace !== "", names: pathSegmentName }, path);
}

function asObjectMeta(metadata: Json): ObjectMeta {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- readObjectMeta has just checked every field of it
  return metadata as unknown as ObjectMeta;
}
