import { type Logger, quote } from "#base";
import type { AnyKind, ServedKind } from "#client";
import { every, type KeysOf, type Predicate, type WatchFor } from "#control";
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
import { resourceNotPaused } from "./predicates.ts";

/** What an object tracker works with; without one of them it refuses to watch anything. */
export interface ObjectTrackerParts {
  /** The controller that watches are added to while it runs; a pass can stand for it. */
  readonly controller: { readonly watch: WatchFor };
  /** Opens the cache in which the watched objects are kept; fails where no server serves them. */
  readonly cache: { of(kind: AnyKind): Promise<unknown> };
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
export class ObjectTracker {
  readonly #parts: Partial<ObjectTrackerParts>;
  readonly #watched = new Set<string>();

  constructor(parts: Partial<ObjectTrackerParts>) {
    this.#parts = parts;
  }

  /**
   * Watches the kind of an object, unless it is watched already in whatever version, or is just about to be: then
   * nothing is waited for, and the first handler stays the only one. A watch that fails is forgotten.
   */
  async watch(
    object: Pick<KubeObject, "apiVersion" | "kind">,
    handler: KeysOf<KubeObject>,
    { log, predicates = [] }: TrackOptions,
  ): Promise<void> {
    const { controller, cache, scheme, predicateLogger } = complete(this.#parts);
    const kind = kindOf(object);
    const key = describeGroupKind(kind);
    if (this.#watched.has(key)) return;
    // Before anything is awaited, so that whoever asks meanwhile finds it.
    this.#watched.add(key);

    const what = `external object ${quote(describeKind(kind))}`;
    log.info(`Adding watch on ${what}`);
    const source = declaredKind(scheme, kind);
    try {
      await cache.of(source);
      await controller.watch(source, handler, { predicate: every(...predicates, notPaused(predicateLogger)) });
    } catch (cause) {
      this.#watched.delete(key);
      throw new ObjectTrackerError(`failed to add watch on ${what}`, { cause });
    }
  }
}

function complete(parts: Partial<ObjectTrackerParts>): ObjectTrackerParts {
  const { controller, cache, scheme, predicateLogger } = parts;
  if (controller === undefined || cache === undefined || scheme === undefined || predicateLogger === undefined)
    throw new ObjectTrackerError("all of Controller, Cache, Scheme and PredicateLogger must be set for object tracker");
  return { controller, cache, scheme, predicateLogger };
}

function declaredKind(scheme: readonly ServedKind[], kind: GroupVersionKind): AnyKind {
  return scheme.find((declared) => describeKind(declared) === describeKind(kind)) ?? kind;
}

function notPaused(log: Logger): Predicate {
  return (change) => {
    if (resourceNotPaused(change)) return true;
    const { object } = change;
    log.debug("a paused object is passed over", { [object.kind]: describeKey(keyOf(object)) });
    return false;
  };
}
