import {
  deepestJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
  JsonTooDeepError,
  member,
  setMember,
} from "./json.ts";
import { encodeJson } from "./json-encode.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import {
  checkOrder,
  isDirective,
  isDirectiveKey,
  type ListMerging,
  mergeLists,
  plainObject,
  reordered,
  StrategicMergePatchError,
  withoutDirectives,
  withoutItems,
} from "./strategic-merge-list.ts";

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";
const retainKeys = "$retainKeys";

/** Applies a strategic merge patch; the schema says which lists are merged, and by which key. */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: JsonObject,
  schema: JsonSchema | undefined,
): JsonObject {
  return mergeObjects(original, patch, { schema, depth: 0 });
}

/** Where in the object the merge is. */
interface Place {
  readonly schema: JsonSchema | undefined;
  readonly depth: number;
}

function mergeObjects(original: JsonObject, patch: JsonObject, place: Place): JsonObject {
  if (place.depth === deepestJson) throw new JsonTooDeepError();
  const directive = member(patch, "$patch");
  if (directive === "delete") return {};
  if (directive === "replace") return plainObject(patch);
  if (directive !== undefined) {
    const name = typeof directive === "string" ? directive : encodeJson(directive);
    throw new StrategicMergePatchError(`unknown patch type: ${name} in map: ${encodeJson(patch)}`);
  }
  const merged = retained(original, patch);
  const done = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const field = key.slice(orderPrefix.length);
    orderField(merged, patch, { field, place: placeOf(place, field) });
    done.add(field);
  }
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(orderPrefix) || done.has(key)) continue;
    const value = patch[key] ?? null;
    if (key.startsWith(deletePrefix)) deleteItems(merged, key.slice(deletePrefix.length), value);
    else mergeField(merged, key, { value, place: placeOf(place, key) });
  }
  return merged;
}

function mergeField(
  merged: JsonObjectDraft,
  key: string,
  change: { readonly value: Json; readonly place: Place },
): void {
  const result = mergedValue(member(merged, key), change.value, change.place);
  if (result === undefined) delete merged[key];
  else setMember(merged, key, result);
}

/** What becomes of a value; undefined where nothing is left. */
function mergedValue(old: Json | undefined, value: Json, place: Place): Json | undefined {
  if (value === null) return undefined;
  // A directive for what is not there says nothing, not even where it brings values along.
  if (old === undefined) return isDirective(value) ? undefined : withoutDirectives(value);
  if (isJsonObject(old) && isJsonObject(value))
    return hasStrategy(place, "replace") ? plainObject(value) : mergeObjects(old, value, place);
  if (isJsonList(old) && isJsonList(value) && hasStrategy(place, "merge"))
    return mergeLists(old, value, listMerging(place));
  return value;
}

/** Merges a list and puts it into the order that the patch asks for. */
function orderField(
  merged: JsonObjectDraft,
  patch: JsonObject,
  { field, place }: { readonly field: string; readonly place: Place },
): void {
  const order = member(patch, `${orderPrefix}${field}`);
  if (!isJsonList(order)) throw new StrategicMergePatchError(`${orderPrefix}${field} must be a list`);
  const change = member(patch, field);
  const server = member(merged, field);
  if (change !== undefined && !isJsonList(change)) {
    mergeField(merged, field, { value: change, place });
    return;
  }
  const merging = listMerging(place);
  if (change !== undefined) {
    checkOrder(change, order, merging.mergeKey);
    mergeField(merged, field, { value: change, place });
  }
  const list = member(merged, field);
  if (!isJsonList(list)) return;
  const orders = { patch: order, server: isJsonList(server) ? server : [] };
  setMember(merged, field, reordered(list, orders, merging.mergeKey));
}

function deleteItems(merged: JsonObjectDraft, field: string, items: Json): void {
  if (!isJsonList(items)) throw new StrategicMergePatchError(`${deletePrefix}${field} must be a list`);
  const list = member(merged, field);
  if (isJsonList(list)) setMember(merged, field, withoutItems(list, items));
}

/** A copy of the object, without what a `$retainKeys` of the patch does not name. */
function retained(original: JsonObject, patch: JsonObject): JsonObjectDraft {
  const names = member(patch, retainKeys);
  if (names === undefined) return { ...original };
  const kept = new Set(isJsonList(names) ? names : []);
  const isComplete = Object.keys(patch).every((key) => isDirectiveKey(key) || kept.has(key));
  if (!isJsonList(names) || !isComplete)
    throw new StrategicMergePatchError("invalid patch format of retainKeys", "malformed");
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
}

function placeOf({ schema, depth }: Place, field: string): Place {
  const properties = schema?.properties;
  if (properties !== undefined && Object.hasOwn(properties, field))
    return { schema: properties[field], depth: depth + 1 };
  const others = schema?.additionalProperties;
  return { schema: typeof others === "object" ? others : undefined, depth: depth + 1 };
}

function hasStrategy({ schema }: Place, strategy: "merge" | "replace"): boolean {
  return schema?.["x-kubernetes-patch-strategy"]?.split(",").includes(strategy) ?? false;
}

function listMerging({ schema, depth }: Place): ListMerging {
  const items = schema?.items;
  const place: Place = { schema: items !== undefined && "length" in items ? undefined : items, depth: depth + 1 };
  return {
    mergeKey: schema?.["x-kubernetes-patch-merge-key"],
    mergeItems: (original, patch) => mergeObjects(original, patch, place),
  };
}
