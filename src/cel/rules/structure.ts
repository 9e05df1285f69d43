import type { JsonSchema } from "#machinery";

const text: JsonSchema = { type: "string" };
const metadata: JsonSchema = { type: "object", properties: { name: text, generateName: text } };

/** The schema with what every object has: apiVersion, kind and the names in its metadata. */
export function asResource(schema: JsonSchema): JsonSchema {
  const { kind, apiVersion, metadata: own } = schema.properties ?? {};
  const isComplete =
    kind?.type === "string" &&
    apiVersion?.type === "string" &&
    own?.type === "object" &&
    own.properties?.["name"]?.type === "string" &&
    own.properties["generateName"]?.type === "string";
  if (isComplete || schema.type !== "object") return schema;
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata } };
}

/** The schema of a list's elements, where there is one for all of them. */
export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return isOne(items) ? items : undefined;
}

function isOne(items: JsonSchema["items"]): items is JsonSchema {
  return items !== undefined && !Array.isArray(items);
}

/** The schema of a map's values, where it is more than a yes or no. */
export function valuesOf({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** The properties of an object in the order of their names, so that errors come in one order. */
export function sortedProperties({ properties = {} }: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export function isEmbedded(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}
