import type { ServedKind } from "#client";
import type { KubeObject, ObjectKey } from "#machinery";
import type { Index, ReadListOptions, ReadOptions } from "../reader.ts";

/** All objects of one kind (or a selection of them), kept in memory and up to date. */
export interface KindCache<Obj extends KubeObject = KubeObject> {
  readonly kind: ServedKind;
  /** Resolves once everything that was there at the start is in; rejects when the signal ends it. */
  synced(options?: ReadOptions): Promise<void>;
  readonly isSynced: boolean;
  find(key: ObjectKey): Obj | undefined;
  list(options?: Omit<ReadListOptions, "signal">): readonly Obj[];
  addIndex(index: Index<Obj>): void;
  /** Tells of everything that is there, then of every change, in order; until the signal ends it. */
  subscribe(listener: (change: CacheChange<Obj>) => void, options: { readonly signal: AbortSignal }): void;
}

/** What happened to an object in a cache. */
export type CacheChange<Obj extends KubeObject = KubeObject> =
  /** `initial`: it was there when the subscriber or the cache came. */
  | { readonly kind: "added"; readonly object: Obj; readonly initial: boolean }
  /** `resync`: nothing changed, the object is only shown again. */
  | { readonly kind: "changed"; readonly before: Obj; readonly object: Obj; readonly resync: boolean }
  /** The object as it was last seen. */
  | { readonly kind: "deleted"; readonly object: Obj };
