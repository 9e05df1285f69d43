import type { JsonSchema } from "#machinery";
import { type ElementType, type Scalar, type WireField, type WireType, wireType } from "./wire-type.ts";

const structures = new Map<string, JsonSchema>();

/** How the objects of a built-in type are put together, as patches and the account of owners need to know it. */
export function structureOf(typeName: string): JsonSchema {
  const known = structures.get(typeName);
  if (known !== undefined) return known;
  const structure = ofType(wireType(typeName), []);
  structures.set(typeName, structure);
  return structure;
}

/** What is known of nothing but that it is JSON. */
const anything: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };

const scalars: Readonly<Record<Scalar, JsonSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number" },
  bytes: { type: "string", format: "byte" },
  time: { type: "string", format: "date-time" },
  microTime: { type: "string", format: "date-time" },
  duration: { type: "string" },
  quantity: { "x-kubernetes-int-or-string": true },
  intOrString: { "x-kubernetes-int-or-string": true },
  rawExtension: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  fieldsV1: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  json: anything,
  strings: { type: "array", items: { type: "string" } },
  schemaOrArray: anything,
  schemaOrBool: anything,
  schemaOrStrings: anything,
};

function ofType(type: WireType, within: readonly string[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of type.fields.values()) properties[field.name] = ofField(field, [...within, type.name]);
  // A whole object inside another, such as a claim inside a StatefulSet, says of what kind it is.
  if (type.typed && within.length > 0) Object.assign(properties, { apiVersion: scalars.string, kind: scalars.string });
  return { type: "object", properties, ...(type.atomic ? { "x-kubernetes-map-type": "atomic" } : {}) };
}

function ofField(field: WireField, within: readonly string[]): JsonSchema {
  const element = ofElement(field.element, within);
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

/** A type inside itself, such as the schema of a schema, is not followed any further. */
function ofElement(element: ElementType, within: readonly string[]): JsonSchema {
  if (element.kind === "scalar") return scalars[element.scalar];
  const type = element.type();
  return within.includes(type.name) ? { type: "object", ...anything } : ofType(type, within);
}

function marksOf({ listType, listKeys, mapType, patchStrategy, patchKey, default: preset }: WireField): JsonSchema {
  return {
    ...(preset === undefined ? {} : { default: preset }),
    ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
    ...(listKeys === undefined ? {} : { "x-kubernetes-list-map-keys": listKeys }),
    ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
    ...(patchStrategy === undefined ? {} : { "x-kubernetes-patch-strategy": patchStrategy }),
    ...(patchKey === undefined ? {} : { "x-kubernetes-patch-merge-key": patchKey }),
  };
}
