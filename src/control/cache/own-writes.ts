import { compareResourceVersions, keyOf, type KubeObject, namespacedName } from "#machinery";

// More than ever are on their way at once; whoever deletes what no cache selects must not fill memory for ever.
const mostRemembered = 10_000;

/** What was written through this program and that the server has yet to tell: objects that are not there any more. */
export class OwnWrites {
  /** Objects that were deleted, by uid, and whether the server was asked for everything since. */
  readonly #gone = new Map<string, { isKnownToListing: boolean }>();
  /** Up to which revision whatever the server tells of a key is history. */
  readonly #history = new Map<string, string>();

  /** No object of this uid comes back. */
  gone(uid: string): void {
    this.#gone.set(uid, { isKnownToListing: false });
    bound(this.#gone);
  }

  /** In this version an object went, or went out of what is selected. */
  left(object: KubeObject): void {
    this.#history.set(nameOf(object), object.metadata.resourceVersion ?? "");
    bound(this.#history);
  }

  /** True for a version of an object that was overtaken by what was written here. */
  overtakes(object: KubeObject): boolean {
    const { uid = "", resourceVersion } = object.metadata;
    if (this.#gone.has(uid)) return true;
    const revision = this.#history.get(nameOf(object));
    return revision !== undefined && compareResourceVersions(resourceVersion, revision) <= 0;
  }

  /** The server has told the end of an object. */
  deleted({ metadata }: KubeObject): void {
    this.#gone.delete(metadata.uid ?? "");
  }

  /** The server has told everything up to a revision. */
  reached(revision: string): void {
    for (const [key, written] of this.#history)
      if (compareResourceVersions(written, revision) <= 0) this.#history.delete(key);
  }

  /** The server is asked for everything from now on: its answer knows all that was written so far. */
  listing(): void {
    for (const absence of this.#gone.values()) absence.isKnownToListing = true;
  }

  /** What such an answer does not contain is not told any more either. */
  listed(uids: ReadonlySet<string>): void {
    for (const [uid, { isKnownToListing }] of this.#gone)
      if (isKnownToListing && !uids.has(uid)) this.#gone.delete(uid);
  }

  /** Nothing that was written counts any more. */
  clear(): void {
    this.#gone.clear();
    this.#history.clear();
  }
}

function nameOf(object: KubeObject): string {
  return namespacedName(keyOf(object));
}

/** Forgets the oldest. */
function bound(map: Map<string, unknown>): void {
  if (map.size <= mostRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
