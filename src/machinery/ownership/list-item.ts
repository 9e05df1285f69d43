import { isJsonObject, type Json } from "../json.ts";
import { goJson, keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListType } from "./value-type.ts";

/** The step to an item of a set or keyed list; undefined for an item that cannot be in such a list. */
export function itemElement(list: ListType, item: Json): PathElement | undefined {
  if (list.kind === "set") return item === null || typeof item === "object" ? undefined : valueElement(item);
  if (!isJsonObject(item)) return undefined;
  const [key, second] = list.keys;
  if (key !== undefined && second === undefined) {
    const value = keyValue(list, item, key);
    return value === undefined ? undefined : `k:{${goJson(key)}:${goJson(value)}}`;
  }
  const keys: Record<string, Json> = {};
  let found = false;
  for (const name of list.keys) {
    const value = keyValue(list, item, name);
    // A key that is neither given nor defaulted makes another item than the same key with any value.
    if (value === undefined) continue;
    keys[name] = value;
    found = true;
  }
  return found ? keyElement(keys) : undefined;
}

/** Why an item cannot be in a set or keyed list, in Kubernetes' words. */
export function refusalOf(list: ListType, item: Json): string {
  if (list.kind === "map") {
    if (item === null) return "associative list with keys may not have a null element";
    if (!isJsonObject(item)) return "associative list with keys may not have non-map elements";
    const keys = list.keys.map((key) => JSON.stringify(key)).join(" ");
    return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return "not supported: associative list with lists as elements";
  return "associative list without keys has an element that's a map type";
}

function keyValue(list: ListType, item: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(item, key) ? item[key] : list.keyDefaults.get(key);
}
