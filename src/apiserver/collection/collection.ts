import type { KubeObject } from "#machinery";
import type { Change } from "#apiserver/watch";
import { Bucket, Unread } from "./bucket.ts";
import { Turns } from "./turns.ts";

/** Is told every change, in order, as soon as it is durable. */
export type ChangeListener = (change: Change) => void;

/** A write on its way to the disk; without an object where it is a delete. */
interface StagedState {
  readonly revision: number;
  readonly object: KubeObject | undefined;
}

const mostRecentChanges = 1024;

/**
 * The objects of one resource in memory. What is published is durable and seen by all; what is staged is on its way to
 * the disk and seen only by writers, so that two of them never both win.
 */
export class Collection {
  readonly group: string;
  readonly resource: string;
  /** For writers of one object that got in each other's way. */
  readonly turns = new Turns();
  readonly #namespaces = new Map<string, Bucket>();
  readonly #staged = new Map<string, StagedState>();
  readonly #listeners = new Set<ChangeListener>();
  #recent: Change[] = [];
  /** History after this revision is in #recent, whole. */
  #recentAfter: number;

  constructor(options: { readonly group: string; readonly resource: string; readonly revision: number }) {
    this.group = options.group;
    this.resource = options.resource;
    this.#recentAfter = options.revision;
  }

  get size(): number {
    let size = 0;
    for (const bucket of this.#namespaces.values()) size += bucket.size;
    return size;
  }

  /** The published object. */
  get(namespace: string, name: string): KubeObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** What a writer has to build on: the staged object, or else the published one. */
  head(namespace: string, name: string): KubeObject | undefined {
    if (this.#staged.size > 0) {
      const staged = this.#staged.get(keyText(namespace, name));
      if (staged !== undefined) return staged.object;
    }
    return this.get(namespace, name);
  }

  /** The published objects in the order of `namespace/name`. */
  list(namespace?: string): KubeObject[] {
    const objects: KubeObject[] = [];
    if (namespace !== undefined) {
      this.#namespaces.get(namespace)?.collectInto(objects);
      return objects;
    }
    for (const each of [...this.#namespaces.keys()].toSorted(bySlashed))
      this.#namespaces.get(each)?.collectInto(objects);
    return objects;
  }

  /** The keys of all published objects, without reading what has not been read yet. */
  keys(): readonly { readonly namespace: string; readonly name: string }[] {
    return [...this.#namespaces].flatMap(([namespace, { names }]) => names.map((name) => ({ namespace, name })));
  }

  /** The objects as they were at a revision, as far back as memory goes. */
  listAt(revision: number, namespace?: string): readonly KubeObject[] | undefined {
    if (revision < this.#recentAfter) return undefined;
    const undone = new Map<string, Change>();
    for (const change of this.#recent.toReversed()) {
      if (change.revision <= revision) break;
      if (namespace === undefined || namespace === change.namespace)
        undone.set(keyText(change.namespace, change.name), change);
    }
    if (undone.size === 0) return this.list(namespace);
    const now = this.list(namespace).filter(
      ({ metadata }) => !undone.has(keyText(metadata.namespace ?? "", metadata.name ?? "")),
    );
    const before = [...undone.values()].flatMap(({ previous }) => (previous === undefined ? [] : [previous]));
    return [...now, ...before].toSorted(byKey);
  }

  /** The changes after a revision, as far back as memory goes. */
  changesAfter(revision: number): readonly Change[] | undefined {
    if (revision < this.#recentAfter) return undefined;
    return this.#recent.filter((change) => change.revision > revision);
  }

  /** Takes in an object that was there before the start; it is read when it is first asked for. */
  load(namespace: string, name: string, read: () => KubeObject): void {
    this.#bucket(namespace).put(name, new Unread(read));
  }

  /** Takes note of what an object is about to be, or that it is about to go. */
  stage(namespace: string, name: string, staged: StagedState): void {
    this.#staged.set(keyText(namespace, name), staged);
  }

  /** Shows a change that has become durable. */
  publish(change: Change): void {
    const { namespace, name, object, kind } = change;
    const bucket = this.#bucket(namespace);
    if (kind === "deleted") {
      bucket.remove(name);
      if (bucket.size === 0) this.#namespaces.delete(namespace);
    } else bucket.put(name, object);
    this.#unstage(change);
    this.#remember(change);
    for (const listener of this.#listeners) listener(change);
  }

  /** Tells a listener of every change from now on; the answer takes it away again. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #unstage({ namespace, name, revision }: Change): void {
    const key = keyText(namespace, name);
    // A later write to the same object may be on its way already.
    if (this.#staged.get(key)?.revision === revision) this.#staged.delete(key);
  }

  #remember(change: Change): void {
    this.#recent.push(change);
    if (this.#recent.length < 2 * mostRecentChanges) return;
    this.#recent = this.#recent.slice(-mostRecentChanges);
    this.#recentAfter = (this.#recent[0]?.revision ?? change.revision) - 1;
  }

  #bucket(namespace: string): Bucket {
    const present = this.#namespaces.get(namespace);
    if (present !== undefined) return present;
    const bucket = new Bucket();
    this.#namespaces.set(namespace, bucket);
    return bucket;
  }
}

function keyText(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** As namespaces stand in keys, where a slash follows: `a-b/` comes before `a/`. */
function bySlashed(a: string, b: string): number {
  return byText(`${a}/`, `${b}/`);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders objects as lists do. */
export function byKey(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a.metadata, b.metadata];
  return byText(keyText(one.namespace ?? "", one.name ?? ""), keyText(other.namespace ?? "", other.name ?? ""));
}
