import { isDeeplyFrozen, type JsonObject } from "#machinery";

/** Parts of objects, such as a spec, that a schema has pruned and found valid. Objects are never changed, so that this stays true. */
export class SoundParts {
  readonly #names = new WeakMap<object, string>();

  /** True where an object has no part, besides its kind and metadata, that has not been seen in its place before. */
  haveAllOf(object: JsonObject): boolean {
    for (const name in object) {
      if (name === "apiVersion" || name === "kind" || name === "metadata") continue;
      const part = object[name];
      if (typeof part !== "object" || part === null || this.#names.get(part) !== name) return false;
    }
    return true;
  }

  /** Remembers the parts of an object in which nothing is wrong; only those that nobody can change any more count. */
  add(object: JsonObject): void {
    for (const name in object) {
      const part = object[name];
      if (typeof part === "object" && part !== null && isDeeplyFrozen(part)) this.#names.set(part, name);
    }
  }
}
