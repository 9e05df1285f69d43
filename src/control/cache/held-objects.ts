import type { KubeObject, ObjectKey } from "#machinery";
import { IndexExistsError } from "./errors.ts";
import { matcherOf } from "../object-matcher.ts";
import type { Index, ReadListOptions } from "../reader.ts";
import { ObjectBucket } from "./object-bucket.ts";

interface FiledObjects<Obj extends KubeObject> {
  readonly index: Index<Obj>;
  readonly byValue: Map<string, ObjectBucket<Obj>>;
}

/** Objects in memory, by namespace, name and whatever indexes file them under. */
export class HeldObjects<Obj extends KubeObject> {
  readonly #byNamespace = new Map<string, ObjectBucket<Obj>>();
  readonly #filed = new Map<string, FiledObjects<Obj>>();
  readonly #onIndexError: (error: unknown) => void;
  #namespaces: readonly string[] | undefined;
  #size = 0;

  constructor(onIndexError: (error: unknown) => void) {
    this.#onIndexError = onIndexError;
  }

  get size(): number {
    return this.#size;
  }

  find({ namespace = "", name }: ObjectKey): Obj | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  put(object: Obj): void {
    const { namespace = "", name = "" } = object.metadata;
    const bucket = this.#byNamespace.get(namespace) ?? this.#newNamespace(namespace);
    const before = bucket.get(name);
    if (before === undefined) this.#size += 1;
    bucket.put(name, object);
    for (const filed of this.#filed.values()) this.#refile(filed, before, object);
  }

  remove(object: Obj): void {
    const { namespace = "", name = "" } = object.metadata;
    const bucket = this.#byNamespace.get(namespace);
    const before = bucket?.get(name);
    if (bucket === undefined || before === undefined) return;
    this.#size -= 1;
    bucket.delete(name);
    if (bucket.size === 0) {
      this.#byNamespace.delete(namespace);
      this.#namespaces = undefined;
    }
    for (const filed of this.#filed.values()) this.#refile(filed, before, undefined);
  }

  /** All objects, or those of one namespace, in the order of namespaces and names. */
  all(namespace = ""): readonly Obj[] {
    if (namespace !== "") return this.#byNamespace.get(namespace)?.ordered() ?? [];
    this.#namespaces ??= [...this.#byNamespace.keys()].toSorted();
    const [first, ...others] = this.#namespaces;
    if (first === undefined) return [];
    const objects = this.#byNamespace.get(first)?.ordered() ?? [];
    return others.length === 0 ? objects : [objects, ...others.map((name) => this.all(name))].flat();
  }

  list({ namespace = "", indexed, ...selectors }: Omit<ReadListOptions, "signal"> = {}): readonly Obj[] {
    const matches = matcherOf(selectors);
    const candidates = indexed === undefined ? this.all(namespace) : this.#filedUnder(indexed, namespace);
    return matches === undefined ? candidates : candidates.filter(matches);
  }

  addIndex(index: Index<Obj>): void {
    const known = this.#filed.get(index.name);
    if (known !== undefined && known.index !== index) throw new IndexExistsError(index.name);
    if (known !== undefined) return;
    const filed = { index, byValue: new Map<string, ObjectBucket<Obj>>() };
    this.#filed.set(index.name, filed);
    for (const object of this.all()) this.#refile(filed, undefined, object);
  }

  #newNamespace(namespace: string): ObjectBucket<Obj> {
    const bucket = new ObjectBucket<Obj>();
    this.#byNamespace.set(namespace, bucket);
    this.#namespaces = undefined;
    return bucket;
  }

  #filedUnder({ by, value }: { readonly by: Index; readonly value: string }, namespace: string): readonly Obj[] {
    this.addIndex(by);
    const objects = this.#filed.get(by.name)?.byValue.get(value)?.ordered() ?? [];
    return namespace === "" ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  #refile({ index, byValue }: FiledObjects<Obj>, before: Obj | undefined, after: Obj | undefined): void {
    const key = bucketKey(before ?? after);
    const values = this.#valuesOf(index, after);
    for (const value of this.#valuesOf(index, before)) {
      const bucket = values.includes(value) ? undefined : byValue.get(value);
      bucket?.delete(key);
      if (bucket?.size === 0) byValue.delete(value);
    }
    if (after === undefined) return;
    for (const value of values) {
      const bucket = byValue.get(value) ?? new ObjectBucket<Obj>();
      byValue.set(value, bucket);
      bucket.put(key, after);
    }
  }

  /** An index that cannot cope with an object does not file it, and disturbs nothing else. */
  #valuesOf(index: Index<Obj>, object: Obj | undefined): readonly string[] {
    if (object === undefined) return [];
    try {
      return index.valuesOf(object);
    } catch (error) {
      this.#onIndexError(error);
      return [];
    }
  }
}

// No namespace and no name contains what is between them here, and it comes before all that they contain.
function bucketKey(object: KubeObject | undefined): string {
  return `${object?.metadata.namespace ?? ""} ${object?.metadata.name ?? ""}`;
}
