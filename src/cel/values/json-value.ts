import { isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";
import { JoinedList, ListValue } from "./list.ts";
import { MapValue } from "./map.ts";
import type { Value } from "./value.ts";

/** JSON as a value whose types show only when it is looked at; nothing is copied before that. */
export function valueOfJson(json: Json): Value {
  if (isJsonObject(json)) return new JsonMap(json);
  if (isJsonList(json)) return new JsonList(json);
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : json;
}

class JsonMap extends MapValue {
  readonly #object: JsonObject;
  #keys: readonly string[] | undefined;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get size(): number {
    return this.keys().length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#object, key)) return undefined;
    return valueOfJson(this.#object[key] ?? null);
  }

  keys(): readonly string[] {
    this.#keys ??= Object.keys(this.#object);
    return this.#keys;
  }
}

class JsonList extends ListValue {
  readonly #items: readonly Json[];

  constructor(items: readonly Json[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return valueOfJson(this.#items[index] ?? null);
  }

  concat(other: ListValue): ListValue {
    return new JoinedList(this, other);
  }
}
