import { type Logger, quote } from "#base";
import type { AnyKind, ServedKind } from "#client";
import {
  describeGroupKind,
  describeKey,
  describeKind,
  type GroupVersionKind,
  keyOf,
  kindOf,
  type KubeObject,
} from "#machinery";
import { ObjectTrackerError } from "./errors.ts";
import { every, type Predicate, resourceNotPaused } from "./predicates.ts";

/** What a watch is to do: which objects of which cache, who is told, and of what. */
export interface ExternalSource<Handler, Cache> {
  readonly cache: Cache;
  readonly kind: AnyKind;
  readonly handler: Handler;
  readonly predicate: Predicate;
}

/** What an object tracker works with; without one of them it refuses to watch anything. */
export interface ObjectTrackerParts<Handler, Cache> {
  /** The controller that watches are added to, while it runs. */
  readonly controller: { watch(source: ExternalSource<Handler, Cache>): void | Promise<void> };
  /** Where the watched objects are kept. */
  readonly cache: Cache;
  /** Kinds that were declared; a kind that is not among them is looked up on the server. */
  readonly scheme: readonly ServedKind[];
  /** Is told of objects that are passed over because they are paused. */
  readonly predicateLogger: Logger;
}

/** How an external kind is watched. */
export interface TrackOptions {
  readonly log: Logger;
  /** What else has to hold before anybody is told; that the object is not paused always has to. */
  readonly predicates?: readonly Predicate[];
}

/** Adds watches on providers' objects to a controller, one for each kind, whoever asks and however often. */
export class ObjectTracker<Handler, Cache> {
  readonly #parts: Partial<ObjectTrackerParts<Handler, Cache>>;
  readonly #watched = new Set<string>();

  constructor(parts: Partial<ObjectTrackerParts<Handler, Cache>>) {
    this.#parts = parts;
  }

  /**
   * Watches the kind of an object, unless it is watched already in whatever version, or is just about to be: then
   * nothing is waited for, and the first handler stays the only one. A watch that fails is forgotten.
   */
  async watch(object: Pick<KubeObject, "apiVersion" | "kind">, handler: Handler, options: TrackOptions): Promise<void> {
    const { controller, cache, scheme, predicateLogger } = this.#completeParts();
    const kind = kindOf(object);
    const key = describeGroupKind(kind);
    if (this.#watched.has(key)) return;
    // Before anything is awaited, so that whoever asks meanwhile finds it.
    this.#watched.add(key);

    const what = `external object ${quote(describeKind(kind))}`;
    options.log.info(`Adding watch on ${what}`);
    const predicate = every([...(options.predicates ?? []), notPaused(predicateLogger)]);
    try {
      await controller.watch({ cache, kind: declaredKind(scheme, kind), handler, predicate });
    } catch (cause) {
      this.#watched.delete(key);
      throw new ObjectTrackerError(`failed to add watch on ${what}`, { cause });
    }
  }

  #completeParts(): ObjectTrackerParts<Handler, Cache> {
    const { controller, cache, scheme, predicateLogger } = this.#parts;
    if (controller === undefined || cache === undefined || scheme === undefined || predicateLogger === undefined)
      throw new ObjectTrackerError(
        "all of Controller, Cache, Scheme and PredicateLogger must be set for object tracker",
      );
    return { controller, cache, scheme, predicateLogger };
  }
}

function declaredKind(scheme: readonly ServedKind[], kind: GroupVersionKind): AnyKind {
  return scheme.find((declared) => describeKind(declared) === describeKind(kind)) ?? kind;
}

function notPaused(log: Logger): Predicate {
  return (event) => {
    if (resourceNotPaused(event)) return true;
    const { object } = event;
    log.debug("object is paused and passed over", { [object.kind]: describeKey(keyOf(object)) });
    return false;
  };
}
