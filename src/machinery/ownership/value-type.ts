import { type Json, isJsonObject } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { objectMetaSchema } from "./object-meta-schema.ts";

/** What a value may be, and how its parts are owned. A schema without a type allows all three at once. */
export interface ValueType {
  readonly scalar: "numeric" | "string" | "boolean" | "untyped" | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

/** A list owned as one (`atomic`), value by value (`set`) or item by item (`map`). */
export interface ListType {
  readonly kind: "atomic" | "set" | "map";
  readonly element: ValueType;
  readonly keys: readonly string[];
  /** What a missing key counts as, for the keys whose field has a default. */
  readonly keyDefaults: ReadonlyMap<string, Json>;
}

/** A struct, a map or both: declared fields, and the type of all others where they are allowed. */
export interface MapType {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, ValueType>;
  readonly element: ValueType | undefined;
}

/** The kind of value a type is taken for. */
export type ValueKind = "scalar" | "list" | "map";

const objectTypes = new WeakMap<JsonSchema, ValueType>();

/** The type of whole objects of a kind: its schema with the `apiVersion`, `kind` and `metadata` of every object. */
export function objectTypeOf(schema: JsonSchema): ValueType {
  const known = objectTypes.get(schema);
  if (known !== undefined) return known;
  const type = compile(withTypeMeta(schema), { preservesUnknown: false });
  objectTypes.set(schema, type);
  return type;
}

/** The type of values under a schema that are no objects of their own. */
export function valueTypeOf(schema: JsonSchema): ValueType {
  return compile(schema, { preservesUnknown: false });
}

/** Which of its kinds a type takes a value for; null passes for a map first, then for a scalar. */
export function valueKindOf(type: ValueType, value: Json): ValueKind {
  if (value !== null) {
    if (typeof value !== "object") {
      if (type.scalar !== undefined) return "scalar";
    } else if (Array.isArray(value)) {
      if (type.list !== undefined) return "list";
    } else if (type.map !== undefined) return "map";
  }
  if (type.map !== undefined) return "map";
  return type.scalar === undefined ? "list" : "scalar";
}

/** The type of a field of a struct or map; undefined where there may be no such field. */
export function fieldType(map: MapType, name: string): ValueType | undefined {
  return map.fields.get(name) ?? map.element;
}

/** True for a map that says nothing about what is in it. */
export function isFreeForm(map: MapType): boolean {
  return map.fields.size === 0 && map.element?.scalar === "untyped";
}

/** True for a type that every value is of. */
export function isAnything(type: ValueType): boolean {
  return type === deduced || type === untypedAtomic;
}

interface Inherited {
  /** Everything below a field that preserves unknown fields preserves them too. */
  readonly preservesUnknown: boolean;
}

const untypedAtomic: ValueType = endless((self) => ({
  scalar: "untyped",
  list: { kind: "atomic", element: self, keys: [], keyDefaults: new Map() },
  map: { atomic: true, fields: new Map(), element: self },
}));

/** What the server makes of values it knows nothing about: maps field by field, lists as one. */
const deduced: ValueType = endless((self) => ({
  scalar: "untyped",
  list: { kind: "atomic", element: untypedAtomic, keys: [], keyDefaults: new Map() },
  map: { atomic: false, fields: new Map(), element: self },
}));

const objectMeta = compile(objectMetaSchema, { preservesUnknown: false });

function compile(schema: JsonSchema, inherited: Inherited): ValueType {
  const preservesUnknown = inherited.preservesUnknown || schema["x-kubernetes-preserve-unknown-fields"] === true;
  switch (schema.type ?? "") {
    case "object":
      return { scalar: undefined, list: undefined, map: compileMap(schema, { preservesUnknown }) };
    case "array":
      return { scalar: undefined, list: compileList(schema, { preservesUnknown }), map: undefined };
    case "integer":
    case "number":
      return { scalar: "numeric", list: undefined, map: undefined };
    case "boolean":
      return { scalar: "boolean", list: undefined, map: undefined };
    case "string": {
      // Any other format may stand for something that is no text, such as int-or-string.
      const isText = schema.format === undefined || schema.format === "" || schema.format === "byte";
      return { scalar: isText ? "string" : "untyped", list: undefined, map: undefined };
    }
    default:
      return {
        scalar: "untyped",
        list: compileList(schema, { preservesUnknown }),
        map: compileMap(schema, { preservesUnknown }),
      };
  }
}

function compileMap(schema: JsonSchema, inherited: Inherited): MapType {
  const fields = new Map<string, ValueType>();
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    fields.set(name, compile(property, inherited));
  if (schema["x-kubernetes-embedded-resource"] === true) {
    fields.set("apiVersion", compile({ type: "string" }, inherited));
    fields.set("kind", compile({ type: "string" }, inherited));
    fields.set("metadata", objectMeta);
  }
  const atomic = schema["x-kubernetes-map-type"] === "atomic";
  return { atomic, fields, element: compileElement(schema, fields.size, inherited) };
}

function compileElement(schema: JsonSchema, declared: number, inherited: Inherited): ValueType | undefined {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return inherited.preservesUnknown || declared === 0 ? deduced : undefined;
  if (typeof additionalProperties === "boolean") return additionalProperties ? deduced : undefined;
  return compile(additionalProperties, inherited);
}

function compileList(schema: JsonSchema, inherited: Inherited): ListType {
  const items = isSchema(schema.items) ? schema.items : undefined;
  const element = items === undefined ? untypedAtomic : compile(items, inherited);
  const kind = schema["x-kubernetes-list-type"] ?? "atomic";
  const keys = kind === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : [];
  const keyDefaults = new Map<string, Json>();
  for (const key of keys) {
    const value = items?.properties?.[key]?.default;
    if (value !== undefined && value !== null) keyDefaults.set(key, value);
  }
  return { kind, element, keys, keyDefaults };
}

function withTypeMeta(schema: JsonSchema): JsonSchema {
  return { ...schema, "x-kubernetes-embedded-resource": true };
}

function isSchema(items: JsonSchema["items"]): items is JsonSchema {
  return isJsonObject(items);
}

/** A type whose parts are of the type itself. */
function endless(describe: (self: ValueType) => ValueType): ValueType {
  const self: { -readonly [part in keyof ValueType]: ValueType[part] } = {
    scalar: undefined,
    list: undefined,
    map: undefined,
  };
  return Object.assign(self, describe(self));
}
