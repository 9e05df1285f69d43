import { deepestJson, isJsonObject, type Json, type JsonObject, JsonTooDeepError } from "../json.ts";
import { readObjectMeta } from "./embedded-metadata.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/**
 * The places of all fields that pruning drops because nobody knows them, such as `spec.list[0].typo`: those of the
 * object's own metadata, those of the schema in order, then those of embedded metadata in order.
 */
export function unknownFields(node: SchemaNode, value: Json): readonly string[] {
  const found: Found = { own: [], fields: [], embedded: [] };
  visit(node, value, { at: "", keep: node.preserve, found });
  return [...found.own, ...found.fields.toSorted(), ...found.embedded.toSorted()];
}

/** True where a default has fields that pruning would drop; embedded metadata is not looked into. */
export function hasFieldsToPrune(node: SchemaNode, value: Json): boolean {
  const found: Found = { own: [], fields: [], embedded: [] };
  visit(node, value, { at: "default", keep: node.preserve, found });
  return found.fields.length > 0;
}

interface Found {
  readonly own: string[];
  readonly fields: string[];
  readonly embedded: string[];
}

interface Place {
  readonly at: string;
  readonly keep: boolean;
  readonly found: Found;
}

function visit(node: SchemaNode, value: Json, place: Place): void {
  if (Array.isArray(value)) visitList(node, value, place);
  else if (isJsonObject(value)) for (const name of Object.keys(value)) visitField(node, { object: value, name, place });
}

function visitList({ items }: SchemaNode, list: readonly Json[], { at, keep, found }: Place): void {
  list.forEach((item, index) => {
    const inside = `${at}[${index}]`;
    if (items !== undefined) visit(items, item, { at: inside, keep: keep || items.preserve, found });
    else if (!keep) visitAll(item, { at: inside, found });
  });
}

interface Field {
  readonly object: JsonObject;
  readonly name: string;
  readonly place: Place;
}

function visitField(node: SchemaNode, { object, name, place: { at, keep, found } }: Field): void {
  const inside = at === "" ? name : `${at}.${name}`;
  const value = object[name] ?? null;
  const isMeta = name === "apiVersion" || name === "kind" || name === "metadata";
  if (node.embedded && isMeta) {
    if (name !== "metadata" || !isJsonObject(value)) return;
    const unknown = readObjectMeta(value).unknown.map((field) => `${inside}.${field}`);
    (at === "" ? found.own : found.embedded).push(...unknown);
    return;
  }
  const child = fieldNode(node, name);
  if (child !== undefined) visit(child, value, { at: inside, keep: child.preserve, found });
  else if (node.additional !== undefined) visitAll(value, { at: inside, found });
  // The fields that every object has are never called unknown at the root.
  else if (!keep && !(isMeta && at === "")) found.fields.push(inside);
}

/** Where a schema allows any field but says nothing about it, the fields of objects are unknown. */
function visitAll(value: Json, { at, found }: { readonly at: string; readonly found: Found }, depth = 0): void {
  if (depth > deepestJson) throw new JsonTooDeepError();
  if (Array.isArray(value)) {
    value.forEach((item, index) => visitAll(item, { at: `${at}[${index}]`, found }, depth + 1));
  } else if (isJsonObject(value)) {
    found.fields.push(...Object.keys(value).map((name) => `${at}.${name}`));
  }
}
