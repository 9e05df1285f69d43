import { quote } from "#base";
import { deepEqual } from "../equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/** A value beside what it was before, as far as the schema lets the two be told to be the same thing. */
export class Correlation {
  readonly #value: Json;
  readonly #old: Json;
  readonly #node: SchemaNode;
  #oldItems: ReadonlyMap<Json, Json> | undefined;
  #unchanged: boolean | undefined;

  constructor(value: Json, old: Json, node: SchemaNode) {
    this.#value = value;
    this.#old = old;
    this.#node = node;
  }

  /** The same field in both; undefined where one lacks it or the schema does not know it. */
  field(name: string): Correlation | undefined {
    const node = fieldNode(this.#node, name);
    if (node === undefined || !isJsonObject(this.#value) || !isJsonObject(this.#old)) return undefined;
    if (!Object.hasOwn(this.#value, name) || !Object.hasOwn(this.#old, name)) return undefined;
    return new Correlation(this.#value[name] ?? null, this.#old[name] ?? null, node);
  }

  /** The item of the old list with the same keys; only list maps have such. */
  item(index: number): Correlation | undefined {
    const { items, listType, types, listKeys } = this.#node;
    if (items === undefined || listType !== "map" || !types.includes("array")) return undefined;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old)) return undefined;
    const item: Json = this.#value[index] ?? null;
    const key = listMapKey(item, listKeys);
    if (key === undefined) return undefined;
    this.#oldItems ??= byKey(this.#old, listKeys);
    const old = this.#oldItems.get(key);
    return old === undefined ? undefined : new Correlation(item, old, items);
  }

  /** True where nothing changed; fields that the schema does not know count as changed. */
  get unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value)) return Array.isArray(old) && value.length === old.length && this.#sameItems(value, old);
    if (!isJsonObject(value)) return deepEqual(value, old);
    const names = Object.keys(value);
    if (!isJsonObject(old) || names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.field(name)?.unchanged === true);
  }

  #sameItems(value: readonly Json[], old: readonly Json[]): boolean {
    if (this.#node.listType !== "map") return deepEqual(value, old);
    return value.every((_, index) => this.item(index)?.unchanged === true);
  }
}

function byKey(list: readonly Json[], names: readonly string[]): ReadonlyMap<Json, Json> {
  const items = new Map<Json, Json>();
  for (const item of list) {
    const key = listMapKey(item, names);
    if (key !== undefined && !items.has(key)) items.set(key, item);
  }
  return items;
}

/** What identifies an item of a list map; undefined where a key is missing or no scalar. */
function listMapKey(item: Json, names: readonly string[]): Json | undefined {
  if (!isJsonObject(item) || names.length === 0) return undefined;
  const [only] = names;
  if (names.length === 1 && only !== undefined) return scalarAt(item, only);
  const parts = names.map((name) => scalarAt(item, name));
  return parts.includes(undefined) ? undefined : parts.map(keyText).join("\u0000");
}

function scalarAt(item: JsonObject, name: string): string | number | bigint | boolean | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  return typeof value === "object" ? undefined : value;
}

function keyText(value: string | number | bigint | boolean | undefined): string {
  if (typeof value === "string") return quote(value);
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(6) : String(value);
}
