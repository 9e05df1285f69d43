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
    properties[field.name] = propertyOf(field, ref, onType);
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
