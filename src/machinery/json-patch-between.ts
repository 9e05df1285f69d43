import { deepEqual } from "./equal.ts";
import { checkDepth, isJsonList, isJsonObject, type Json, type JsonObject, member } from "./json.ts";
import { printJsonPointer } from "./json-pointer.ts";

/** One step of a JSON patch that sets or takes away a value. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

type Place = readonly (string | number)[];

/** A JSON patch (RFC 6902) that turns one value into another; empty where they are equal. Lists that grow or shrink are replaced whole. */
export function jsonPatchBetween(before: Json, after: Json): readonly JsonPatchOperation[] {
  checkDepth(before);
  checkDepth(after);
  return difference(before, after, []);
}

function difference(before: Json, after: Json, at: Place): readonly JsonPatchOperation[] {
  if (before === after || deepEqual(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return betweenObjects(before, after, at);
  if (isJsonList(before) && isJsonList(after) && before.length === after.length) {
    return after.flatMap((item, index) => difference(before[index] ?? null, item, [...at, index]));
  }
  return [{ op: "replace", path: printJsonPointer(at), value: after }];
}

function betweenObjects(before: JsonObject, after: JsonObject, at: Place): readonly JsonPatchOperation[] {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key) => ({ op: "remove", path: printJsonPointer([...at, key]) }) as const);
  const changed = Object.entries(after).flatMap(([key, value]) => {
    const old = member(before, key);
    if (old === undefined) return [{ op: "add", path: printJsonPointer([...at, key]), value } as const];
    return difference(old, value, [...at, key]);
  });
  return [...removed, ...changed];
}
