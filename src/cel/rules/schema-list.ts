import type { Json } from "#machinery";
import { equalResults } from "../values/equal.ts";
import { JoinedList, ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { typeName } from "../values/type-of.ts";
import { DurationValue, Failure, type Result, TimestampValue, Uint, type Value } from "../values/value.ts";
import { spendSteps } from "../values/work.ts";

interface ListForm {
  /** Sets are equal in any order; maps are equal if entries of equal keys are. */
  readonly form: "atomic" | "set" | "map";
  /** The escaped names of the properties that tell the entries of a map apart. */
  readonly keys: readonly string[];
}

/** A list of an object, with the equality that its schema gives it. */
export class SchemaList extends ListValue {
  readonly size: number;
  readonly #form: ListForm;
  readonly #read: (index: number) => Result;
  readonly #items: (Result | undefined)[];

  private constructor(size: number, form: ListForm, read: (index: number) => Result) {
    super();
    this.size = size;
    this.#form = form;
    this.#read = read;
    this.#items = [];
  }

  /** A list over JSON, whose elements are read when they are asked for. */
  static of(json: readonly Json[], form: ListForm & { readonly reader: (json: Json) => Result }): SchemaList {
    return new SchemaList(json.length, form, (index) => form.reader(json[index] ?? null));
  }

  at(index: number): Result {
    const known = this.#items[index];
    if (known !== undefined) return known;
    const item = this.#read(index);
    this.#items[index] = item;
    return item;
  }

  concat(other: ListValue): ListValue {
    if (this.#form.form === "atomic") return new JoinedList(this, other);
    spendSteps(this.size + other.size);
    const items = all(this);
    const places = new Map(items.map((item, index) => [this.#keyOf(item), index]));
    for (const item of all(other)) {
      const key = this.#keyOf(item);
      const place = places.get(key);
      if (place === undefined) {
        places.set(key, items.length);
        items.push(item);
      } else if (this.#form.form === "map") items[place] = item;
    }
    return new SchemaList(items.length, this.#form, (index) => items[index] ?? null);
  }

  override equalTo(other: Value): boolean | Failure {
    if (!(other instanceof ListValue)) return new Failure("no such overload");
    if (other.size !== this.size) return false;
    spendSteps(this.size);
    return this.#form.form === "atomic" ? this.#equalInOrder(other) : this.#equalInAnyOrder(other);
  }

  #equalInOrder(other: ListValue): boolean | Failure {
    for (let index = 0; index < this.size; index++) {
      const same = equalResults(this.at(index), other.at(index));
      if (same !== true) return same;
    }
    return true;
  }

  #equalInAnyOrder(other: ListValue): boolean | Failure {
    const places = new Map<string, Result>();
    for (const item of all(this)) places.set(this.#keyOf(item), item);
    for (const item of all(other)) {
      const own = places.get(this.#keyOf(item));
      if (own === undefined) return false;
      const same = equalResults(own, item);
      if (same !== true) return same;
    }
    return true;
  }

  #keyOf(item: Result): string {
    if (this.#form.form === "set" || !(item instanceof MapValue)) return keyText(item);
    return this.#form.keys.map((key) => keyText(item.find(key))).join("\u0000");
  }
}

function all(list: ListValue): Result[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** A text that is the same for equal scalars only. */
function keyText(value: Result | undefined): string {
  if (value === undefined) return "absent";
  if (value instanceof Failure) return `failure ${value.message}`;
  if (value instanceof Uint) return `number ${value.value}`;
  if (typeof value === "bigint" || typeof value === "number") return `number ${value}`;
  if (value instanceof ListValue) return `[${all(value).map(keyText).join(",")}]`;
  if (value instanceof MapValue) return mapText(value);
  if (value instanceof DurationValue || value instanceof TimestampValue) return `time ${value.nanoseconds}`;
  if (value instanceof Uint8Array) return `bytes ${value.join(" ")}`;
  return typeof value === "object" ? typeName(value ?? null) : `${typeof value} ${value}`;
}

function mapText(map: MapValue): string {
  const entries = map.keys().map((key) => `${keyText(key)}:${keyText(map.find(key))}`);
  return `{${entries.toSorted().join(",")}}`;
}
