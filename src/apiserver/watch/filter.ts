import type { KubeObject, WatchEvent } from "#machinery";
import type { Change } from "./change.ts";

/** Which objects a list or watch is about. */
export interface ObjectFilter {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Absent: any name. */
  readonly name?: string;
  /** Absent: every object in scope. */
  readonly matches?: (object: KubeObject) => boolean;
}

type ObjectEvent = Extract<WatchEvent, { readonly object: KubeObject }>;

/**
 * What a watcher sees of a change: an object that comes into view is added, one that leaves it is deleted, and a
 * deleted one is shown as it was last seen, with the revision of its end.
 */
export function seenBy(filter: ObjectFilter, change: Change): ObjectEvent | undefined {
  if (filter.namespace !== undefined && filter.namespace !== change.namespace) return undefined;
  if (filter.name !== undefined && filter.name !== change.name) return undefined;
  const { matches } = filter;
  const before = change.previous !== undefined && (matches === undefined || matches(change.previous));
  if (change.kind === "deleted") {
    return before ? { kind: "deleted", object: endOf(change) } : undefined;
  }
  const now = matches === undefined || matches(change.object);
  if (now) return { kind: before ? "modified" : "added", object: change.object };
  return before ? { kind: "deleted", object: endOf(change) } : undefined;
}

/** The last content that was in view, with the revision at which it left. */
function endOf({ kind, object, previous, revision }: Change): KubeObject {
  if (kind === "deleted" || previous === undefined) return object;
  const { metadata } = previous;
  return Object.freeze({ ...previous, metadata: Object.freeze({ ...metadata, resourceVersion: String(revision) }) });
}
