import { isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";
import type { MakeRef } from "./builtin-schemas.ts";
import { metaNames } from "./schema-names.ts";

/** How a document of a version of OpenAPI is written. */
export interface Dialect {
  readonly version: "v2" | "v3";
  readonly ref: MakeRef;
}

const descriptions = {
  apiVersion: "APIVersion defines which version of the schema this object is written in.",
  kind: "Kind tells what this object is.",
  metadata: "Standard object's metadata: what every object has.",
};

/** The schema of a custom resource, with the fields that every object has. */
export function customSchema(structure: JsonObject, dialect: Dialect): JsonObject {
  // A root that takes anything says nothing more in the older form, lest clients refuse what the server takes.
  if (dialect.version === "v2" && structure["x-kubernetes-preserve-unknown-fields"] === true) return { type: "object" };
  const published = publishedSchema(structure, dialect);
  const properties = isJsonObject(published["properties"]) ? published["properties"] : {};
  return { ...published, type: "object", properties: { ...properties, ...objectFields(dialect) } };
}

function objectFields({ version, ref }: Dialect): JsonObject {
  const metadata = { $ref: ref(metaNames.objectMeta) };
  return {
    apiVersion: { description: descriptions.apiVersion, type: "string" },
    kind: { description: descriptions.kind, type: "string" },
    metadata:
      version === "v3"
        ? { description: descriptions.metadata, allOf: [metadata] }
        : { description: descriptions.metadata, ...metadata },
  };
}

function publishedSchema(schema: JsonObject, dialect: Dialect): JsonObject {
  const source = dialect.version === "v2" ? understoodByOlderClients(schema) : schema;
  const published: Record<string, Json> = {};
  for (const [name, value] of Object.entries(source)) published[name] = publishedKeyword(name, value, dialect);
  if (source["x-kubernetes-embedded-resource"] !== true || dialect.version === "v2") return published;
  const properties = isJsonObject(published["properties"]) ? published["properties"] : {};
  const required = isJsonList(published["required"]) ? published["required"] : [];
  return {
    ...published,
    required: [...new Set([...required, "kind", "apiVersion"])],
    properties: { ...properties, ...objectFields(dialect) },
  };
}

function publishedKeyword(name: string, value: Json, dialect: Dialect): Json {
  const nested = (each: Json) => (isJsonObject(each) ? publishedSchema(each, dialect) : each);
  switch (name) {
    case "properties":
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nested(each)]));
    case "items":
    case "additionalProperties":
    case "not":
      return nested(value);
    case "allOf":
    case "anyOf":
    case "oneOf":
      return isJsonList(value) ? value.map(nested) : value;
    default:
      return value;
  }
}

/** What the older form of OpenAPI cannot say is left out, so that clients that go by it do not refuse good objects. */
function understoodByOlderClients(schema: JsonObject): JsonObject {
  const dropped = new Set(["default", "nullable", "oneOf", "anyOf", "allOf", "not", "x-kubernetes-validations"]);
  const free = schema["x-kubernetes-preserve-unknown-fields"] === true || schema["nullable"] === true;
  if (free) for (const name of ["type", "properties", "items", "additionalProperties", "required"]) dropped.add(name);
  if (schema["x-kubernetes-int-or-string"] === true) dropped.add("type");
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !dropped.has(name)));
}
