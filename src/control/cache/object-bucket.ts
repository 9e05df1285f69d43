import type { KubeObject } from "#machinery";

/** Some objects, each under its key, in the order of their keys whenever they are asked for. */
export class ObjectBucket<Obj extends KubeObject> {
  readonly #objects = new Map<string, Obj>();
  #ordered: readonly Obj[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Obj | undefined {
    return this.#objects.get(key);
  }

  put(key: string, object: Obj): void {
    this.#objects.set(key, object);
    this.#ordered = undefined;
  }

  delete(key: string): void {
    this.#objects.delete(key);
    this.#ordered = undefined;
  }

  /** The same list until something changes. */
  ordered(): readonly Obj[] {
    this.#ordered ??= Object.freeze([...this.#objects].toSorted(byKey).map(([, object]) => object));
    return this.#ordered;
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
