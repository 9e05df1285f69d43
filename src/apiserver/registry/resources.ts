import { ApiError, type GroupVersionResource } from "#machinery";
import type { Collection } from "#apiserver/collection";
import { type ResourceDefinition, servedVersion, type VersionDefinition } from "#apiserver/resources";

/** A resource that is being served, with its objects. */
export interface Served {
  readonly definition: ResourceDefinition;
  readonly collection: Collection;
}

/** A resource in the version that a request names. */
export interface Target extends Served {
  readonly version: VersionDefinition;
}

/** What is served at the moment: built-in kinds, and custom ones as their definitions come and go. */
export class Resources {
  readonly #served = new Map<string, Served>();
  readonly #listeners = new Set<() => void>();

  /** Begins to serve a resource, or serves it from now on as another definition says. */
  put(served: Served): void {
    this.#served.set(nameOf(served.definition), served);
    for (const listener of this.#listeners) listener();
  }

  remove(resource: { readonly group: string; readonly resource: string }): void {
    if (!this.#served.delete(nameOf(resource))) return;
    for (const listener of this.#listeners) listener();
  }

  find(resource: { readonly group: string; readonly resource: string }): Served | undefined {
    return this.#served.get(nameOf(resource));
  }

  all(): Iterable<Served> {
    return this.#served.values();
  }

  /** The resource of a request, or the refusal of a path that leads nowhere. */
  target(resource: GroupVersionResource): Target {
    const served = this.find(resource);
    const version = served && servedVersion(served.definition, resource.version);
    if (served === undefined || version === undefined) throw noSuchResource();
    return { definition: served.definition, collection: served.collection, version };
  }

  /** Tells whenever a resource comes, changes or goes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** True for a resource that a CustomResourceDefinition defines: it alone takes no strategic merge patches. */
export function isCustom({ definition }: Served): boolean {
  return !definition.behaviour.strategicPatches;
}

/** The refusal of a resource that is not served. */
export function noSuchResource(): ApiError {
  const message = "the server could not find the requested resource";
  return new ApiError({ httpCode: 404, reason: "NotFound", message, details: {} });
}

function nameOf({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return `${group}/${resource}`;
}
