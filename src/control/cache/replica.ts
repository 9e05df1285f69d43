import {
  compareResourceVersions,
  isComparableVersion,
  keyOf,
  type KubeObject,
  namespacedName,
  type ObjectKey,
} from "#machinery";
import type { HeldObjects } from "./held-objects.ts";
import type { CacheChange } from "./kind-cache.ts";
import { OwnWrites } from "./own-writes.ts";

/** What a replica is made of. */
export interface ReplicaParts<Obj extends KubeObject> {
  readonly held: HeldObjects<Obj>;
  /** The form in which an object is kept; undefined for what is of another kind. */
  readonly enter: (object: KubeObject, before: Obj | undefined) => Obj | undefined;
  readonly isSelected: (object: KubeObject) => boolean;
  readonly tell: (change: CacheChange<Obj>) => void;
}

/** Everything that a server has at a revision, in one namespace or in all. */
export interface Listed {
  readonly objects: readonly KubeObject[];
  readonly revision: string;
  readonly namespace: string;
  /** True for the first one. */
  readonly initial: boolean;
  /** True where the server went back to an older state, so that what is held may never have been. */
  readonly isSetBack: boolean;
}

/**
 * Keeps what is held up with what the server tells and with what is written through this program, whichever comes first.
 * An older version never takes the place of a newer one, and each change is told once.
 */
export class Replica<Obj extends KubeObject> {
  readonly #parts: ReplicaParts<Obj>;
  readonly #own = new OwnWrites();

  constructor(parts: ReplicaParts<Obj>) {
    this.#parts = parts;
  }

  /** The server is asked for everything from now on. */
  listing(): void {
    this.#own.listing();
  }

  /** What is held and not listed has been deleted meanwhile, unless it was written after the list was made. */
  listed({ objects, revision, namespace, initial, isSetBack }: Listed): void {
    if (isSetBack) this.#own.clear();
    const names = new Set<string>();
    const uids = new Set<string>();
    for (const object of objects) {
      names.add(namespacedName(keyOf(object)));
      uids.add(object.metadata.uid ?? "");
      this.#take(object, { initial, anyVersion: isSetBack });
    }
    for (const object of this.#parts.held.all(namespace)) {
      if (names.has(namespacedName(keyOf(object)))) continue;
      if (isSetBack || !isAfter(object, revision)) this.#drop(object);
    }
    this.#own.listed(uids);
    this.#own.reached(revision);
  }

  changed(object: KubeObject): void {
    this.#take(object, { initial: false });
  }

  deleted(object: KubeObject): void {
    const { held, enter } = this.#parts;
    this.#own.deleted(object);
    const before = held.find(keyOf(object));
    if (before === undefined || isLater(before, object)) return;
    this.#drop(before, enter(object, before));
  }

  reached(revision: string): void {
    this.#own.reached(revision);
  }

  /** The server does not know the kind any more, so that none of its objects is there. */
  clear(namespace: string): void {
    for (const object of this.#parts.held.all(namespace)) this.#drop(object);
  }

  /** Takes in what a write through this program was answered with. */
  written(object: KubeObject): void {
    const { held, isSelected } = this.#parts;
    if (isSelected(object)) {
      this.#take(object, { initial: false });
      return;
    }
    const before = held.find(keyOf(object));
    if (before !== undefined && isLater(before, object)) return;
    this.#own.left(object);
    if (before !== undefined) this.#drop(before);
  }

  /** The object of this uid was deleted through this program. */
  gone(key: ObjectKey, uid: string): void {
    this.#own.gone(uid);
    const before = this.#parts.held.find(key);
    if (before?.metadata.uid !== uid) return;
    this.#own.left(before);
    this.#drop(before);
  }

  #take(object: KubeObject, { initial, anyVersion = false }: { initial: boolean; anyVersion?: boolean }): void {
    const { held, enter, tell } = this.#parts;
    const before = held.find(keyOf(object));
    if (before !== undefined && (anyVersion ? isSameVersion(before, object) : isKnown(object, before))) return;
    if (this.#own.overtakes(object)) return;
    const entered = enter(object, before);
    if (entered === undefined) return;
    const isAnother = before !== undefined && before.metadata.uid !== entered.metadata.uid;
    if (isAnother) this.#drop(before);
    held.put(entered);
    if (before === undefined || isAnother) tell({ kind: "added", object: entered, initial });
    else tell({ kind: "changed", before, object: entered, resync: false });
  }

  #drop(object: Obj, last = object): void {
    const { held, tell } = this.#parts;
    held.remove(object);
    tell({ kind: "deleted", object: last });
  }
}

/** True for what was there at least as new. */
function isKnown({ metadata }: KubeObject, held: KubeObject): boolean {
  const { resourceVersion } = metadata;
  // Where servers do not number their revisions, whatever they tell is news.
  return isComparableVersion(resourceVersion) && !isAfter({ metadata }, held.metadata.resourceVersion);
}

function isLater(a: KubeObject, b: KubeObject): boolean {
  return isAfter(a, b.metadata.resourceVersion);
}

function isAfter(
  { metadata: { resourceVersion } }: Pick<KubeObject, "metadata">,
  revision: string | undefined,
): boolean {
  return isComparableVersion(resourceVersion) && compareResourceVersions(resourceVersion, revision) > 0;
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion;
}
