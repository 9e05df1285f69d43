import type { Change } from "#apiserver/watch";
import { Collection } from "./collection.ts";

/** Is told every change of every resource. */
export type Observer = (collection: Collection, change: Change) => void;

/** The objects of all resources, whether they are served at the moment or not. */
export class Collections {
  readonly #collections = new Map<string, Collection>();
  readonly #observers: Observer[] = [];
  readonly #revision: number;

  /** `revision` is the one at which the objects are loaded. */
  constructor(revision: number) {
    this.#revision = revision;
  }

  of({ group, resource }: { readonly group: string; readonly resource: string }): Collection {
    const name = `${group}/${resource}`;
    const present = this.#collections.get(name);
    if (present !== undefined) return present;
    const collection = new Collection({ group, resource, revision: this.#revision });
    this.#collections.set(name, collection);
    for (const observer of this.#observers) collection.subscribe((change) => observer(collection, change));
    return collection;
  }

  all(): Iterable<Collection> {
    return this.#collections.values();
  }

  observe(observer: Observer): void {
    this.#observers.push(observer);
    for (const collection of this.#collections.values()) {
      collection.subscribe((change) => observer(collection, change));
    }
  }
}
