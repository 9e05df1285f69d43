import { CapstanError } from "#base";
import { checkDepth, isJsonList, isJsonObject, type Json, type JsonObjectDraft, member, setMember } from "./json.ts";
import { printJsonPointer } from "./json-pointer.ts";

/** A place in a document that is not there, or cannot be written to. */
export class JsonPlaceError extends CapstanError {
  readonly code = "JSON_PLACE";
}

type Path = readonly string[];
type Holder = JsonObjectDraft | Json[];

/** How indexes of lists are read: by the RFC alone, or also with leading zeros and from the end (`-1` is the last). */
export type IndexStyle = "strict" | "forgiving";

/**
 * A document that is changed bit by bit while the original stays as it is. What does not change is shared with the
 * original, what changes is copied once.
 */
export class JsonDraft {
  #document: Json;
  readonly #indexes: IndexStyle;
  /** The parts that were copied here, so that nobody else sees them change. */
  #own = new Set<object>();

  constructor(document: Json, { indexes = "strict" }: { readonly indexes?: IndexStyle } = {}) {
    this.#document = document;
    this.#indexes = indexes;
  }

  get document(): Json {
    return this.#document;
  }

  /** What is at a place; undefined where nothing is. */
  get(path: Path): Json | undefined {
    let at: Json | undefined = this.#document;
    for (const token of path) at = this.#inside(at, token);
    return at;
  }

  /** Puts a value somewhere: into a list before the index, into an object whether the key is there or not. */
  add(path: Path, value: Json): void {
    checkDepth(value, path.length);
    this.#insert(path, value);
  }

  /** Takes a value from one place to another. Whether it lies too deep there is left to the caller. */
  move(from: Path, path: Path): void {
    this.#insert(path, this.remove(from));
  }

  /** Puts a value where one is already. */
  replace(path: Path, value: Json): void {
    checkDepth(value, path.length);
    const token = path.at(-1);
    if (token === undefined) {
      this.#document = value;
      return;
    }
    if (this.get(path) === undefined) throw missing(path);
    this.#put(this.#holderOf(path), token, value);
  }

  /** Takes a value away and hands it back. */
  remove(path: Path): Json {
    const value = this.get(path);
    const token = path.at(-1);
    if (value === undefined) throw missing(path);
    if (token === undefined) throw new JsonPlaceError("the whole document cannot be removed");
    const holder = this.#holderOf(path);
    if (Array.isArray(holder)) holder.splice(this.#indexOf(holder, token) ?? 0, 1);
    else delete holder[token];
    return value;
  }

  /** From here on everything counts as shared: a part may now stand in two places. */
  share(): void {
    this.#own = new Set();
  }

  #insert(path: Path, value: Json): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.#document = value;
      return;
    }
    const holder = this.#holderOf(path);
    if (!Array.isArray(holder)) {
      setMember(holder, token, value);
      return;
    }
    const index = token === "-" ? holder.length : this.#insertionIndex(holder, token);
    if (index === undefined) throw new JsonPlaceError(`${describe(path)} is no place in a list of ${holder.length}`);
    holder.splice(index, 0, value);
  }

  /** The list or object that holds a place, with everything above it, as our own. */
  #holderOf(path: Path): Holder {
    let holder = this.#owned(this.#document, path);
    this.#document = holder;
    for (const token of path.slice(0, -1)) {
      const inside = this.#inside(holder, token);
      const own = this.#owned(inside, path);
      if (own !== inside) this.#put(holder, token, own);
      holder = own;
    }
    return holder;
  }

  #owned(value: Json | undefined, path: Path): Holder {
    if (typeof value !== "object" || value === null) throw missing(path.slice(0, -1));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made here, and made to be changed
    if (this.#own.has(value)) return value as Holder;
    const copy = isJsonList(value) ? value.slice() : { ...value };
    this.#own.add(copy);
    return copy;
  }

  #put(holder: Holder, token: string, value: Json): void {
    if (Array.isArray(holder)) holder[this.#indexOf(holder, token) ?? 0] = value;
    else setMember(holder, token, value);
  }

  #inside(value: Json | undefined, token: string): Json | undefined {
    if (isJsonList(value)) return value[this.#indexOf(value, token) ?? value.length];
    return isJsonObject(value) ? member(value, token) : undefined;
  }

  /** The index of an item that is there. */
  #indexOf(list: readonly Json[], token: string): number | undefined {
    const index = this.#readIndex(token, list.length);
    return index !== undefined && index >= 0 && index < list.length ? index : undefined;
  }

  /** The index before which something can be put: one more than there are items, and counted from after the last. */
  #insertionIndex(list: readonly Json[], token: string): number | undefined {
    const index = this.#readIndex(token, list.length + 1);
    return index !== undefined && index >= 0 && index <= list.length ? index : undefined;
  }

  #readIndex(token: string, length: number): number | undefined {
    if (/^(?:0|[1-9]\d{0,9})$/.test(token)) return Number(token);
    if (this.#indexes === "strict" || !/^-?\d{1,10}$/.test(token)) return undefined;
    return token.startsWith("-") ? length + Number(token) : Number(token);
  }
}

function missing(path: Path): JsonPlaceError {
  return new JsonPlaceError(`there is nothing at ${describe(path)}`);
}

function describe(path: Path): string {
  return path.length === 0 ? "the top" : printJsonPointer(path);
}
