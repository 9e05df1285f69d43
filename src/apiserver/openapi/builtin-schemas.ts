import { findWireType, type WireField, type WireType } from "#apiserver/builtin";
import type { Json, JsonObject } from "#machinery";
import { builtinSchemaName } from "./schema-names.ts";

/** Makes a reference to a schema, as the version of the document writes it. */
export type MakeRef = (name: string) => string;

const scalars: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
  time: { type: "string", format: "date-time" },
  microTime: { type: "string", format: "date-time" },
  duration: { type: "string" },
  quantity: { type: "string" },
  intOrString: { type: "string", format: "int-or-string" },
  rawExtension: { type: "object" },
  fieldsV1: { type: "object" },
  strings: { type: "array", items: { type: "string" } },
};

const objectMeta = "meta/v1.ObjectMeta";

const metadataFields: Readonly<Record<string, string>> = {
  name: "Name identifies the object in its namespace; it cannot be changed.",
  generateName: "GenerateName is the beginning of a name whose end the server makes up.",
  namespace: "Namespace is where the object lives; it cannot be changed.",
  uid: "UID tells this object from every other, also from later ones of the same name.",
  resourceVersion: "ResourceVersion names the state of the object; clients hand it back as it is.",
  generation: "Generation counts the changes of what is wanted.",
  creationTimestamp: "CreationTimestamp is a timestamp of when the server made the object.",
  deletionTimestamp: "DeletionTimestamp is a timestamp of when somebody asked for the object to go.",
  labels: "Labels are what objects are selected by.",
  annotations: "Annotations are what programs note down about the object.",
  ownerReferences: "OwnerReferences name the objects that this one depends on, and goes with.",
  finalizers: "Finalizers name those who have something to do before the object goes.",
  managedFields: "ManagedFields tell who set which field.",
};

/** The schemas of types and of everything that they are made of, by name. */
export function builtinSchemas(typeNames: Iterable<string>, ref: MakeRef): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {};
  const pending = [...typeNames];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const published = builtinSchemaName(name);
    if (Object.hasOwn(schemas, published)) continue;
    const type = findWireType(name);
    schemas[published] = type === undefined ? { type: "object" } : schemaOf(type, ref, (inner) => pending.push(inner));
  }
  return schemas;
}

function schemaOf(type: WireType, ref: MakeRef, onType: (name: string) => void): JsonObject {
  const properties: Record<string, Json> = {};
  if (type.typed) {
    properties["apiVersion"] = { type: "string" };
    properties["kind"] = { type: "string" };
  }
  const required: string[] = [];
  for (const field of type.fields.values()) {
    const description = type.name === objectMeta ? metadataFields[field.name] : undefined;
    const property = propertyOf(field, ref, onType);
    properties[field.name] = description === undefined ? property : { description, ...property };
    if (field.required) required.push(field.name);
  }
  return {
    type: "object",
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(type.atomic ? { "x-kubernetes-map-type": "atomic" } : {}),
  };
}

function propertyOf(field: WireField, ref: MakeRef, onType: (name: string) => void): JsonObject {
  const element = elementOf(field, ref, onType);
  const marks = marksOf(field);
  switch (field.shape) {
    case "single":
      return { ...element, ...marks };
    case "list":
      return { type: "array", items: element, ...marks };
    case "map":
      return { type: "object", additionalProperties: element, ...marks };
  }
}

function elementOf({ element }: WireField, ref: MakeRef, onType: (name: string) => void): JsonObject {
  if (element.kind === "scalar") return scalars[element.scalar] ?? {};
  const { name } = element.type();
  onType(name);
  return { $ref: ref(builtinSchemaName(name)) };
}

function marksOf(field: WireField): JsonObject {
  return {
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.enum === undefined ? {} : { enum: field.enum }),
    ...(field.listType === undefined ? {} : { "x-kubernetes-list-type": field.listType }),
    ...(field.listKeys === undefined ? {} : { "x-kubernetes-list-map-keys": field.listKeys }),
    ...(field.mapType === undefined ? {} : { "x-kubernetes-map-type": field.mapType }),
    ...(field.patchStrategy === undefined ? {} : { "x-kubernetes-patch-strategy": field.patchStrategy }),
    ...(field.patchKey === undefined ? {} : { "x-kubernetes-patch-merge-key": field.patchKey }),
  };
}
