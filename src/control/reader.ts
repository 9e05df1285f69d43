import type { AnyKind } from "#client";
import type { KubeObject, ObjectKey } from "#machinery";

/**
 * Reads objects: from an API server, from a cache or from a dump. Nothing that it offers changes anything, so what
 * only reads can be run anywhere.
 */
export interface Reader {
  /** The object; throws an ApiError `NotFound` where there is none. */
  get<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj>, key: ObjectKey, options?: ReadOptions): Promise<Obj>;
  /** The object, or undefined where there is none. */
  find<Obj extends KubeObject = KubeObject>(
    kind: AnyKind<Obj>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Obj | undefined>;
  /** All objects that are selected. */
  list<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj>, options?: ReadListOptions): Promise<readonly Obj[]>;
}

/** What every read takes. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
}

/** Which objects to read. */
export interface ReadListOptions extends ReadOptions {
  /** Absent or empty: all namespaces. */
  readonly namespace?: string;
  /** As kubectl's -l takes it. */
  readonly labelSelector?: string;
  /** As kubectl's --field-selector takes it. */
  readonly fieldSelector?: string;
  /** Only those that the index of this name files under this value; a reader without the index filters instead. */
  readonly indexed?: { readonly by: Index; readonly value: string };
}

/** Under which values an object is filed, so that a cache finds it without looking at the others. Declared once. */
export interface Index<Obj extends KubeObject = KubeObject> {
  readonly name: string;
  valuesOf(object: Obj): readonly string[];
}
