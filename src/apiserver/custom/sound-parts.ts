import { isJsonObject, type Json, type JsonObject } from "#machinery";

/**
 * Parts of objects, such as a spec, that a schema has pruned and found nothing wrong with. What is stored never changes, so
 * that this stays true, and of the next version of an object only what differs has to be looked at.
 */
export class SoundParts {
  readonly #names = new WeakMap<object, string>();

  /** Takes note of how a part was judged in its place. */
  note(name: string, part: Json | undefined, { accepted }: { readonly accepted: boolean }): void {
    if (typeof part !== "object" || part === null || name === "metadata") return;
    if (!accepted) this.#names.delete(part);
    else if (this.#names.get(part) !== name) this.#names.set(part, name);
  }

  /** A part of a stored object where it is sound in its place; else nothing. */
  part(name: string, part: Json | undefined): Json | undefined {
    return typeof part === "object" && part !== null && this.#names.get(part) === name ? part : undefined;
  }

  /** A stored object all of whose parts, besides its kind and metadata, are sound; else nothing. */
  whole(object: unknown): JsonObject | undefined {
    if (!isJsonObject(object)) return undefined;
    for (const name in object) {
      if (name === "apiVersion" || name === "kind" || name === "metadata") continue;
      if (this.part(name, object[name]) === undefined) return undefined;
    }
    return object;
  }
}
