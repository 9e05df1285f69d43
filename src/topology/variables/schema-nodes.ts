import { isJsonList, isJsonObject, type Json, type JsonObject, type JsonObjectDraft, member } from "#machinery";
import { jsonText } from "./skeleton.ts";

/** Changes a schema and every schema below it, each after those inside it. What is no schema stays as it is. */
export function mapSchema(schema: Json, change: (node: JsonObject) => JsonObject): Json {
  if (!isJsonObject(schema)) return schema;
  const node: JsonObjectDraft = { ...schema };
  for (const name of ["additionalProperties", "items", "not"]) {
    const part = member(schema, name);
    if (part !== undefined) node[name] = mapSchema(part, change);
  }
  for (const name of ["allOf", "anyOf", "oneOf"]) {
    const parts = member(schema, name);
    if (isJsonList(parts)) node[name] = parts.map((part) => mapSchema(part, change));
  }
  const properties = member(schema, "properties");
  if (isJsonObject(properties)) {
    node["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, mapSchema(part, change)]),
    );
  }
  return change(node);
}

/** The keywords that were plain booleans in v1beta1, so that one could not tell false from absent. */
const flags = [
  "uniqueItems",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-int-or-string",
];

/** The schema with all flags written out. */
export function withEveryFlag(schema: Json): Json {
  return mapSchema(schema, (node) => ({
    ...node,
    ...Object.fromEntries(flags.map((flag) => [flag, member(node, flag) === true])),
  }));
}

/** The schema with only those flags that are true. */
export function withoutFalseFlags(schema: Json): Json {
  return mapSchema(schema, (node) => without(node, (name, value) => value === false && flags.includes(name)));
}

const values = ["default", "example"];
const mayBeEmpty = /""|null|\[\]/;

/** The schema without keywords that say nothing, which the schema of a ClusterClass would not take. */
export function withoutEmptyKeywords(schema: Json): Json {
  // Few schemas have any, and their text tells it much sooner than a walk.
  const text = jsonText(schema);
  if (text !== undefined && !mayBeEmpty.test(text)) return schema;
  return mapSchema(schema, (node) => without(node, (name, value) => isEmpty(value) && !values.includes(name)));
}

/** True for what Go leaves out when it writes JSON. */
function isEmpty(value: Json): boolean {
  if (value === "" || value === null) return true;
  return typeof value === "object" && !isJsonObject(value) && value.length === 0;
}

function without(node: JsonObject, isDropped: (name: string, value: Json) => boolean): JsonObject {
  const entries = Object.entries(node);
  const kept = entries.filter(([name, value]) => !isDropped(name, value));
  return kept.length === entries.length ? node : Object.fromEntries(kept);
}
