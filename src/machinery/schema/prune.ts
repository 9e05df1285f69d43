import { deepestJson, isJsonList, isJsonObject, type Json, type JsonObject, JsonTooDeepError } from "../json.ts";
import { readObjectMeta } from "./embedded-metadata.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/**
 * Whether fields that the schema does not name go or stay. Below a node that preserves them they stay in lists too,
 * whatever the items say, until a field that the schema names is entered.
 */
type Mode = "drop" | "keep";

const noMembers: JsonObject = Object.freeze({});
const noItems: readonly Json[] = Object.freeze([]);

/**
 * The value without the fields its schema does not know, and without nulls that mean nothing. The same value comes back
 * if it has none. Parts that are the very same in an older value, which was pruned before, are passed over.
 */
export function prune(node: SchemaNode, value: Json, older?: Json): Json {
  return pruneValue(node, value, { mode: node.preserve ? "keep" : "drop", older });
}

interface Pruning {
  readonly mode: Mode;
  readonly older: Json | undefined;
}

function pruneValue(node: SchemaNode, value: Json, pruning: Pruning): Json {
  if (typeof value !== "object" || value === null || keepsEverything(node)) return value;
  return isJsonList(value) ? pruneList(node, value, pruning) : pruneObject(node, value, pruning);
}

/** True for a node that says nothing about what is inside. */
function keepsEverything({ preserve, properties, additional, items, embedded }: SchemaNode): boolean {
  return preserve && properties.size === 0 && additional === undefined && items === undefined && !embedded;
}

function pruneObject(node: SchemaNode, object: JsonObject, { mode, older }: Pruning): JsonObject {
  const before = isJsonObject(older) ? older : noMembers;
  let changed: Map<string, Json | undefined> | undefined;
  for (const name in object) {
    const value = object[name] ?? null;
    if (value === before[name] || isKnownScalar(node, name, value)) continue;
    const pruned =
      node.embedded && isMetaField(name)
        ? pruneMeta(name, value)
        : pruneField(node, { name, value, mode, older: before[name] });
    if (pruned === value) continue;
    changed ??= new Map();
    changed.set(name, pruned);
  }
  return changed === undefined ? object : withChanges(object, changed);
}

/** True for most fields there are; nothing can be dropped from them. */
function isKnownScalar(node: SchemaNode, name: string, value: Json): boolean {
  return typeof value !== "object" && !node.embedded && fieldNode(node, name) !== undefined;
}

interface Field extends Pruning {
  readonly name: string;
  readonly value: Json;
}

/** What becomes of a field; undefined where it goes. */
function pruneField(node: SchemaNode, { name, value, mode, older }: Field): Json | undefined {
  const child = fieldNode(node, name);
  if (child !== undefined) {
    if (value === null) return child.nullable || child.default !== undefined ? value : undefined;
    return prune(child, value, older);
  }
  if (node.additional !== undefined) return emptied(value);
  return mode === "keep" ? value : undefined;
}

function pruneList(node: SchemaNode, list: readonly Json[], { mode, older }: Pruning): Json {
  const { items } = node;
  if (items === undefined) return mode === "keep" ? list : emptied(list);
  const before = isJsonList(older) ? older : noItems;
  return mapList(list, (item, index) => {
    if (item === before[index]) return item;
    return mode === "keep"
      ? pruneValue(items, item, { mode, older: before[index] })
      : prune(items, item, before[index]);
  });
}

/** Where a schema allows any field but says nothing about it, objects are emptied. */
function emptied(value: Json, depth = 0): Json {
  if (depth > deepestJson) throw new JsonTooDeepError();
  if (Array.isArray(value)) return mapList(value, (item) => emptied(item, depth + 1));
  return isJsonObject(value) && Object.keys(value).length > 0 ? {} : value;
}

function mapList(list: readonly Json[], map: (item: Json, index: number) => Json): readonly Json[] {
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const mapped = map(item, index);
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
