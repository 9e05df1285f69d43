import { deepEqual } from "./equal.ts";
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

/** By which rules a merge patch is applied. */
export interface MergePatchOptions {
  /**
   * `rfc7386`, or as kube-apiserver does it: nulls vanish from objects inside lists too, unless the list takes the
   * place of an object.
   */
  readonly dialect?: "rfc7386" | "kubernetes";
}

/** Applies a JSON merge patch (RFC 7386); what does not change is shared with the target, and may be all of it. */
export function applyMergePatch(target: Json | undefined, patch: Json, options: MergePatchOptions = {}): Json {
  return options.dialect === "kubernetes" ? merge(target, patch, 0, pruned) : merge(target, patch, 0, asItIs);
}

/** The JSON merge patch that turns one object into another; empty where they are equal. */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject {
  return difference(before, after, 0);
}

type Placed = (list: readonly Json[], depth: number) => Json;

function merge(target: Json | undefined, patch: Json, depth: number, placed: Placed): Json {
  if (isJsonList(patch)) return isJsonObject(target) ? patch : placed(patch, depth);
  if (!isJsonObject(patch)) return patch;
  if (depth === deepestJson) throw new JsonTooDeepError();
  if (!isJsonObject(target)) return withoutNulls(patch, depth, placed);
  let merged: JsonObjectDraft | undefined;
  for (const key of Object.keys(patch)) {
    const old = member(target, key);
    const change = patch[key] ?? null;
    if (change === null) {
      if (old === undefined) continue;
      merged ??= { ...target };
      delete merged[key];
      continue;
    }
    const value = merge(old, change, depth + 1, placed);
    if (value === old) continue;
    merged ??= { ...target };
    setMember(merged, key, value);
  }
  return merged ?? target;
}

/** A copy for where there was nothing before; scalars, which most members are, come along by themselves. */
function withoutNulls(patch: JsonObject, depth: number, placed: Placed): JsonObject {
  const copy: JsonObjectDraft = { ...patch };
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete copy[key];
    else if (typeof value === "object") setMember(copy, key, merge(undefined, value, depth + 1, placed));
  }
  return copy;
}

function asItIs(list: readonly Json[]): Json {
  return list;
}

function pruned(list: readonly Json[], depth: number): Json {
  if (depth === deepestJson) throw new JsonTooDeepError();
  return list.map((item) => merge(undefined, item, depth + 1, pruned));
}

function difference(before: JsonObject, after: JsonObject, depth: number): JsonObject {
  if (depth === deepestJson) throw new JsonTooDeepError();
  const patch: JsonObjectDraft = {};
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) setMember(patch, key, null);
  }
  for (const key of Object.keys(after)) {
    const old = member(before, key);
    const value = after[key] ?? null;
    if (old === value || deepEqual(old, value)) continue;
    setMember(patch, key, isJsonObject(old) && isJsonObject(value) ? difference(old, value, depth + 1) : value);
  }
  return patch;
}
