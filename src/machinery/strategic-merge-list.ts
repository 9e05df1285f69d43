import { CapstanError } from "#base";
import { inElementOrder } from "./element-order.ts";
import {
  deepestJson,
  JsonTooDeepError,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
  member,
  setMember,
} from "./json.ts";
import { encodeJson } from "./json-encode.ts";

/** A strategic merge patch that cannot be applied; the object stays as it was. */
export class StrategicMergePatchError extends CapstanError {
  readonly code = "STRATEGIC_MERGE_PATCH";
  /** `malformed` is the sender's mistake in the form of the patch, `failed` one in what it asks for. */
  readonly problem: "malformed" | "failed";

  constructor(message: string, problem: "malformed" | "failed" = "failed") {
    super(message);
    this.problem = problem;
  }
}

/** How the items of a list are told apart, and how two that are the same are merged. */
export interface ListMerging {
  readonly mergeKey: string | undefined;
  readonly mergeItems: (original: JsonObject, patch: JsonObject) => JsonObject;
}

/** Merges a list of a patch into a list of an object. */
export function mergeLists(original: readonly Json[], patch: readonly Json[], merging: ListMerging): readonly Json[] {
  if (patch.length === 0) return original;
  checkSameTypes([...original, ...patch]);
  if (patch.every(isJsonObject) && original.every(isJsonObject)) return mergeObjectLists(original, patch, merging);
  const both = new Map([...original, ...patch].map((item) => [encodeJson(item), item]));
  const orders = { patch: patch.map(encodeJson), server: original.map(encodeJson) };
  return inElementOrder([...both.values()], encodeJson, orders);
}

/** Takes the scalars of one list out of another. */
export function withoutItems(original: readonly Json[], items: readonly Json[]): readonly Json[] {
  const unwanted = new Set(items.map(encodeJson));
  return original.filter((item) => !unwanted.has(encodeJson(item)));
}

/** Puts a merged list into the order that a patch asks for. */
export function reordered(
  merged: readonly Json[],
  orders: { readonly patch: readonly Json[]; readonly server: readonly Json[] },
  mergeKey: string | undefined,
): readonly Json[] {
  const identity = (item: Json): string => identityOf(item, mergeKey);
  return inElementOrder(merged, identity, { patch: orders.patch.map(identity), server: orders.server.map(identity) });
}

/** Throws unless the items of a patch come in the order that the same patch asks for. */
export function checkOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string | undefined): void {
  const wanted = order.map((item) => identityOf(item, mergeKey));
  let at = 0;
  for (const item of patch) {
    if (isJsonObject(item) && Object.hasOwn(item, "$patch")) continue;
    at = wanted.indexOf(identityOf(item, mergeKey), at) + 1;
    if (at > 0) continue;
    const [asked, given] = [encodeJson(order), encodeJson(patch)];
    throw new StrategicMergePatchError(
      `The order in patch list:\n${given}\n doesn't match $setElementOrder list:\n${asked}\n`,
    );
  }
}

/** A value of a patch that has nothing to be merged with: without nulls and without what only patches understand. */
export function withoutDirectives(value: Json, depth = 0): Json {
  if (depth === deepestJson) throw new JsonTooDeepError();
  if (isJsonList(value))
    return value.filter((item) => !isDirective(item)).map((item) => withoutDirectives(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const plain: JsonObjectDraft = {};
  for (const key of Object.keys(value)) {
    const inside = value[key] ?? null;
    if (inside !== null && !isDirectiveKey(key)) setMember(plain, key, withoutDirectives(inside, depth + 1));
  }
  return plain;
}

/** The same for an object. */
export function plainObject(patch: JsonObject): JsonObject {
  const plain = withoutDirectives(patch);
  return isJsonObject(plain) ? plain : {};
}

/** True for the keys that tell what to do with their neighbours. */
export function isDirectiveKey(key: string): boolean {
  const [name] = key.split("/", 1);
  return (
    name === "$patch" || name === "$retainKeys" || name === "$setElementOrder" || name === "$deleteFromPrimitiveList"
  );
}

function mergeObjectLists(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  { mergeKey, mergeItems }: ListMerging,
): readonly Json[] {
  if (mergeKey === undefined) throw new StrategicMergePatchError("cannot merge lists without merge key");
  const plain = patch.filter((item) => !Object.hasOwn(item, "$patch"));
  const directives = patch.filter((item) => Object.hasOwn(item, "$patch"));
  const deleted = new Set<string>();
  let isReplaced = false;
  for (const item of directives) {
    const directive = member(item, "$patch");
    if (directive === "delete") deleted.add(keyOf(item, mergeKey));
    else if (directive === "replace") isReplaced = true;
    else throw unknownDirective(directive, item);
  }
  if (isReplaced) return plain.map(plainObject);
  const kept = original.filter((item) => !deleted.has(identityOf(item, mergeKey)));
  const merged: JsonObject[] = [...kept];
  const places = new Map(kept.map((item, index) => [identityOf(item, mergeKey), index]));
  for (const item of plain) {
    const key = keyOf(item, mergeKey);
    const place = places.get(key);
    const old = place === undefined ? undefined : merged[place];
    if (place !== undefined && old !== undefined) {
      merged[place] = mergeItems(old, item);
      continue;
    }
    places.set(key, merged.length);
    merged.push(plainObject(item));
  }
  return reordered(merged, { patch: plain, server: kept }, mergeKey);
}

function checkSameTypes(items: readonly Json[]): void {
  const types = new Set(items.map((item) => (isJsonList(item) ? "list" : item === null ? "null" : typeof item)));
  if (types.has("list")) throw new StrategicMergePatchError("lists of lists are not supported in patches");
  if (types.size > 1) throw new StrategicMergePatchError(`list element types are not identical: ${encodeJson(items)}`);
}

function unknownDirective(directive: Json | undefined, item: JsonObject): StrategicMergePatchError {
  if (directive === "merge") return new StrategicMergePatchError("merging lists cannot yet be specified in the patch");
  const name = typeof directive === "string" ? directive : encodeJson(directive ?? null);
  return new StrategicMergePatchError(`unknown patch type: ${name} in map: ${encodeJson(item)}`);
}

function keyOf(item: JsonObject, mergeKey: string): string {
  if (Object.hasOwn(item, mergeKey)) return identityOf(item, mergeKey);
  throw new StrategicMergePatchError(`map: ${encodeJson(item)} does not contain declared merge key: ${mergeKey}`);
}

function identityOf(item: Json, mergeKey: string | undefined): string {
  if (mergeKey === undefined || !isJsonObject(item)) return encodeJson(item);
  return encodeJson(member(item, mergeKey) ?? null);
}

/** An item that only says what to do with others, or that something is not to be there. */
export function isDirective(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, "$patch");
}
