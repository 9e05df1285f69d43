import type { KubeObject } from "#machinery";

/** One write to one object, in the version in which it is kept. */
export interface Change {
  readonly kind: "created" | "updated" | "deleted";
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
  /** The object afterwards; of a deleted one the last content, carrying the revision of its end. */
  readonly object: KubeObject;
  /** The object before; none where there was none. */
  readonly previous: KubeObject | undefined;
}
