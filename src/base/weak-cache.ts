/**
 * Remembers something about objects for as long as they live and are in demand. There are two generations: what is asked
 * for again moves to the young one, and the old one goes whole when the young one is full, so that nobody has to count
 * every use.
 */
export class WeakCache<Key extends object, Value> {
  readonly #weightPerGeneration: number;
  #young = new WeakMap<Key, Entry<Value>>();
  #old = new WeakMap<Key, Entry<Value>>();
  #weight = 0;

  /** At most twice as much is kept; what a value weighs is told with it. */
  constructor(weightPerGeneration: number) {
    this.#weightPerGeneration = weightPerGeneration;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#add(key, old);
    return old.value;
  }

  set(key: Key, value: Value, weight: number): void {
    this.#add(key, { value, weight });
  }

  #add(key: Key, entry: Entry<Value>): void {
    this.#weight += entry.weight;
    if (this.#weight > this.#weightPerGeneration) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#weight = entry.weight;
    }
    this.#young.set(key, entry);
  }
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}
