import { fieldAt } from "../../object.ts";
import { isLeaf, type JsonSchema } from "../json-schema.ts";
import { deepestSchema } from "../nesting.ts";

/** A keyword of a schema by its name, also one that structural schemas must not have and their type does not know. */
export function keyword(schema: JsonSchema, name: string): unknown {
  return fieldAt(schema, name) ?? undefined;
}

/** The schema of the items; undefined where there is none or a list of them. */
export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return items === undefined || isSchemaList(items) ? undefined : items;
}

/** The schema that additionalProperties gives; undefined where it is a boolean or absent. */
export function additionalSchema({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The properties of a schema with their names in order. */
export function sortedProperties({ properties }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  if (properties === undefined) return [];
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** All schemas directly below one. */
export function subschemas(schema: JsonSchema): readonly JsonSchema[] {
  if (isLeaf(schema)) return [];
  const single = [itemsOf(schema), additionalSchema(schema), schema.not].filter((below) => below !== undefined);
  const listed = isSchemaList(schema.items) ? schema.items : [];
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
  return [...single, ...listed, ...Object.values(properties), ...allOf, ...anyOf, ...oneOf];
}

/** True where a schema or one below it is such. */
export function someSchema(schema: JsonSchema, isSuch: (schema: JsonSchema) => boolean): boolean {
  return isSuch(schema) || subschemas(schema).some((below) => someSchema(below, isSuch));
}

/** True where a schema is nested deeper than this program takes; asked first, because all that follows is recursive. */
export function isTooDeep(schema: JsonSchema, depth = 0): boolean {
  return depth > deepestSchema || subschemas(schema).some((below) => isTooDeep(below, depth + 1));
}

function isSchemaList(items: JsonSchema["items"]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}
