import { Failure, type Result, type Value } from "./value.ts";

/** A list, computed or read from an object. */
export abstract class ListValue {
  abstract readonly size: number;

  /** The element at an index that exists. */
  abstract at(index: number): Result;
  abstract concat(other: ListValue): ListValue | Failure;

  /** Set where a list has its own idea of equality. */
  equalTo?(other: Value): boolean | Failure;
}

// Longer lists are joined without being copied, because joining counts as one step whatever their length.
const longestCopy = 1000;

/** Two lists, one after the other. */
export class JoinedList extends ListValue {
  readonly #first: ListValue;
  readonly #second: ListValue;
  readonly size: number;

  constructor(first: ListValue, second: ListValue) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  at(index: number): Result {
    return index < this.#first.size ? this.#first.at(index) : this.#second.at(index - this.#first.size);
  }

  concat(other: ListValue): ListValue {
    return new JoinedList(this, other);
  }
}

/** A list of values at hand. */
export class PlainList extends ListValue {
  readonly #items: Value[];
  readonly #growable: boolean;
  readonly size: number;

  constructor(items: Value[], { growable = false }: { readonly growable?: boolean } = {}) {
    super();
    this.#items = items;
    this.#growable = growable;
    this.size = items.length;
  }

  at(index: number): Value {
    return this.#items[index] ?? null;
  }

  /**
   * A list made by appending grows in place when it is appended to again, which keeps map() and filter() linear. Older
   * lists over the same items do not see it, because they know their size.
   */
  concat(other: ListValue): ListValue | Failure {
    const inPlace = this.#growable && this.#items.length === this.size;
    const isLong = this.size + other.size > longestCopy;
    if (isLong && !(inPlace && other.size <= longestCopy)) return new JoinedList(this, other);
    const added: Value[] = [];
    for (let index = 0; index < other.size; index++) {
      const item = other.at(index);
      if (item instanceof Failure) return item;
      added.push(item);
    }
    const items = inPlace ? this.#items : this.#items.slice(0, this.size);
    for (const item of added) items.push(item);
    return new PlainList(items, { growable: true });
  }
}
