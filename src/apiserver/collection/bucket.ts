import type { KubeObject } from "#machinery";

/** An object that has been found in the store and is read when somebody asks for it. */
export class Unread {
  readonly read: () => KubeObject;

  constructor(read: () => KubeObject) {
    this.read = read;
  }
}

/** The objects of one namespace by name, with the names in order. */
export class Bucket {
  readonly #objects = new Map<string, KubeObject | Unread>();
  readonly #names: string[] = [];

  get names(): readonly string[] {
    return this.#names;
  }

  get size(): number {
    return this.#names.length;
  }

  get(name: string): KubeObject | undefined {
    const found = this.#objects.get(name);
    if (!(found instanceof Unread)) return found;
    const object = found.read();
    this.#objects.set(name, object);
    return object;
  }

  put(name: string, object: KubeObject | Unread): void {
    if (!this.#objects.has(name)) this.#names.splice(this.#place(name), 0, name);
    this.#objects.set(name, object);
  }

  remove(name: string): void {
    if (this.#objects.delete(name)) this.#names.splice(this.#place(name), 1);
  }

  /** Puts all objects into a list, in the order of their names. */
  collectInto(list: KubeObject[]): void {
    for (const name of this.#names) {
      const object = this.get(name);
      if (object !== undefined) list.push(object);
    }
  }

  /** Where a name stands or would stand. */
  #place(name: string): number {
    let low = 0;
    let high = this.#names.length;
    // Objects mostly come in order at the start, so that the end is looked at first.
    const last = this.#names[high - 1];
    if (last === undefined || last < name) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#names[middle];
      if (at !== undefined && at < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
