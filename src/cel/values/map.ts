import { Failure, type Result, Uint, type Value } from "./value.ts";

/** A map or an object with fields, computed or read from an object. */
export abstract class MapValue {
  abstract readonly size: number;

  /** The value under a key, undefined where there is none. */
  abstract find(key: Value): Result | undefined;
  abstract keys(): readonly Value[];

  /** Set where a map has its own idea of equality. */
  equalTo?(other: Value): boolean | Failure;
}

interface Slot {
  readonly index: number;
  readonly key: Value;
  readonly value: Value;
}

/** A map of values at hand. */
export class PlainMap extends MapValue {
  readonly #slots: Map<string, Slot>;
  readonly #growable: boolean;
  readonly size: number;
  #keys: readonly Value[] | undefined;

  private constructor(slots: Map<string, Slot>, { growable = false }: { readonly growable?: boolean } = {}) {
    super();
    this.#slots = slots;
    this.#growable = growable;
    this.size = slots.size;
  }

  /** A map of entries with distinct keys; a key that comes twice is a failure. */
  static of(entries: Iterable<readonly [Value, Value]>): PlainMap | Failure {
    const slots = new Map<string, Slot>();
    for (const [key, value] of entries) {
      const name = keyName(key);
      if (name === undefined) return new Failure("unsupported key type");
      if (slots.has(name)) return new Failure(`Failed with repeated key: ${printedKey(key)}`);
      slots.set(name, { index: slots.size, key, value });
    }
    return new PlainMap(slots);
  }

  /** A map from texts to values. */
  static ofTexts(entries: Iterable<readonly [string, Value]>): PlainMap {
    const slots = new Map<string, Slot>();
    for (const [key, value] of entries) slots.set(`s${key}`, { index: slots.size, key, value });
    return new PlainMap(slots);
  }

  find(key: Value): Value | undefined {
    const name = keyName(key);
    const slot = name === undefined ? undefined : this.#slots.get(name);
    return slot !== undefined && slot.index < this.size ? slot.value : undefined;
  }

  keys(): readonly Value[] {
    this.#keys ??= [...this.#slots.values()].slice(0, this.size).map((slot) => slot.key);
    return this.#keys;
  }

  /** The map with one more entry. As with lists, one made by inserting grows in place, and older ones know their size. */
  insert(key: Value, value: Value): PlainMap | Failure {
    const name = keyName(key);
    if (name === undefined) return new Failure("unsupported key type");
    if (this.find(key) !== undefined) return new Failure(`insert failed: key ${printedKey(key)} already exists`);
    const inPlace = this.#growable && this.#slots.size === this.size;
    const slots = inPlace ? this.#slots : new Map([...this.#slots].slice(0, this.size));
    slots.set(name, { index: this.size, key, value });
    return new PlainMap(slots, { growable: true });
  }
}

/** What tells keys apart: numbers of all kinds are one, as they are for `==`. */
function keyName(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "number" && Number.isInteger(key)) return `n${BigInt(key)}`;
  return undefined;
}

/** A key as error texts show it. */
export function printedKey(key: Value): string {
  if (key instanceof Uint) return String(key.value);
  return typeof key === "object" ? "null" : String(key);
}
