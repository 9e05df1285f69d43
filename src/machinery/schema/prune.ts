import { deepestJson, isJsonList, isJsonObject, type Json, type JsonObject, JsonTooDeepError } from "../json.ts";
import { readObjectMeta } from "./embedded-metadata.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/**
 * Whether fields that the schema does not name go or stay. Below a node that preserves them they stay in lists too,
 * whatever the items say, until a field that the schema names is entered.
 */
type Mode = "drop" | "keep";

/** The value without the fields its schema does not know, and without nulls that mean nothing. The same value comes back if it has none. */
export function prune(node: SchemaNode, value: Json): Json {
  return pruneValue(node, value, node.preserve ? "keep" : "drop");
}

function pruneValue(node: SchemaNode, value: Json, mode: Mode): Json {
  if (typeof value !== "object" || value === null) return value;
  return isJsonList(value) ? pruneList(node, value, mode) : pruneObject(node, value, mode);
}

function pruneObject(node: SchemaNode, object: JsonObject, mode: Mode): JsonObject {
  let changed: Map<string, Json | undefined> | undefined;
  for (const name in object) {
    const value = object[name] ?? null;
    const pruned =
      node.embedded && isMetaField(name) ? pruneMeta(name, value) : pruneField(node, { name, value, mode });
    if (pruned === value) continue;
    changed ??= new Map();
    changed.set(name, pruned);
  }
  return changed === undefined ? object : withChanges(object, changed);
}

interface Field {
  readonly name: string;
  readonly value: Json;
  readonly mode: Mode;
}

/** What becomes of a field; undefined where it goes. */
function pruneField(node: SchemaNode, { name, value, mode }: Field): Json | undefined {
  const child = fieldNode(node, name);
  if (child !== undefined) {
    if (value === null) return child.nullable || child.default !== undefined ? value : undefined;
    return prune(child, value);
  }
  if (node.additional !== undefined) return emptied(value);
  return mode === "keep" ? value : undefined;
}

function pruneList(node: SchemaNode, list: readonly Json[], mode: Mode): Json {
  const { items } = node;
  if (items === undefined) return mode === "keep" ? list : emptied(list);
  const pruneItem = mode === "keep" ? keepingItem(items) : (item: Json) => prune(items, item);
  return mapList(list, pruneItem);
}

function keepingItem(items: SchemaNode): (item: Json) => Json {
  return (item) => pruneValue(items, item, "keep");
}

/** Where a schema allows any field but says nothing about it, objects are emptied. */
function emptied(value: Json, depth = 0): Json {
  if (depth > deepestJson) throw new JsonTooDeepError();
  if (Array.isArray(value)) return mapList(value, (item) => emptied(item, depth + 1));
  return isJsonObject(value) && Object.keys(value).length > 0 ? {} : value;
}

function mapList(list: readonly Json[], map: (item: Json) => Json): readonly Json[] {
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const mapped = map(item);
    if (mapped === item) continue;
    copy ??= [...list];
    copy[index] = mapped;
  }
  return copy ?? list;
}

function pruneMeta(name: string, value: Json): Json {
  return name === "metadata" ? readObjectMeta(value).metadata : value;
}

function isMetaField(name: string): boolean {
  return name === "apiVersion" || name === "kind" || name === "metadata";
}

function withChanges(object: JsonObject, changed: ReadonlyMap<string, Json | undefined>): JsonObject {
  const entries = Object.entries(object).flatMap(([name, value]): readonly [string, Json][] => {
    const pruned = changed.has(name) ? changed.get(name) : value;
    return pruned === undefined ? [] : [[name, pruned]];
  });
  // fromEntries defines fields instead of assigning them, so that a field called __proto__ is a field like others.
  return Object.fromEntries(entries);
}
