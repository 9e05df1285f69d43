import { deepEqual, isJsonList, isJsonObject, type Json, type JsonSchema } from "#machinery";
import { itemsOf, valuesOf } from "./structure.ts";

/** A value together with the one it replaces, as far as the two can be told to belong together. */
export class Correlation {
  readonly value: Json;
  readonly oldValue: Json;
  readonly #schema: JsonSchema;
  readonly #children = new Map<string | number, Correlation | undefined>();
  #isSame: boolean | undefined;
  #oldItems: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, oldValue: Json, schema: JsonSchema) {
    this.value = value;
    this.oldValue = oldValue;
    this.#schema = schema;
  }

  /** True where nothing changed; entries of a list of type map may have changed places. */
  get isSame(): boolean {
    this.#isSame ??= this.#compare();
    return this.#isSame;
  }

  key(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isJsonObject(this.value) || !isJsonObject(this.oldValue)) return undefined;
      if (!Object.hasOwn(this.value, name) || !Object.hasOwn(this.oldValue, name)) return undefined;
      const { properties = {} } = this.#schema;
      const schema = Object.hasOwn(properties, name) ? properties[name] : valuesOf(this.#schema);
      return schema && new Correlation(this.value[name] ?? null, this.oldValue[name] ?? null, schema);
    });
  }

  index(index: number): Correlation | undefined {
    return this.#child(index, () => {
      const schema = itemsOf(this.#schema);
      if (schema === undefined || !isJsonList(this.value) || !isJsonList(this.oldValue)) return undefined;
      this.#oldItems ??= keyedItems(this.oldValue, this.#schema);
      const item = this.value[index] ?? null;
      const key = itemKey(item, this.#schema);
      const oldItem = key === undefined ? undefined : this.#oldItems.get(key);
      return oldItem === undefined ? undefined : new Correlation(item, oldItem, schema);
    });
  }

  #child(key: string | number, make: () => Correlation | undefined): Correlation | undefined {
    if (!this.#children.has(key)) this.#children.set(key, make());
    return this.#children.get(key);
  }

  #compare(): boolean {
    const { value, oldValue } = this;
    if (isJsonList(value) && isJsonList(oldValue) && this.#schema["x-kubernetes-list-type"] === "map") {
      return value.length === oldValue.length && value.every((_, index) => this.index(index)?.isSame === true);
    }
    if (!isJsonObject(value) || !isJsonObject(oldValue)) return deepEqual(value, oldValue);
    const names = Object.keys(value);
    if (names.length !== Object.keys(oldValue).length) return false;
    return names.every((name) => this.key(name)?.isSame === true);
  }
}

/** The items of a list of type map by their keys; of equal keys the first counts. */
export function keyedItems(items: readonly Json[], schema: JsonSchema): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  if (schema["x-kubernetes-list-type"] !== "map") return found;
  for (const item of items) {
    const key = itemKey(item, schema);
    if (key !== undefined && !found.has(key)) found.set(key, item);
  }
  return found;
}

/** What tells an item of a list of type map from the others; undefined where a key is missing. */
export function itemKey(item: Json, schema: JsonSchema): string | undefined {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || keys.length === 0 || !isJsonObject(item)) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (value === undefined || value === null || typeof value === "object") return undefined;
    parts.push(`${typeof value === "bigint" ? "number" : typeof value}:${value}`);
  }
  return parts.join("\u0000");
}
