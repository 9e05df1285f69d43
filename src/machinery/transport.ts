import type { Duration } from "#base";
import type { Status } from "./api-error.ts";
import type { GroupVersionKind, GroupVersionResource } from "./group-version-kind.ts";
import type { Json, JsonObject } from "./json.ts";
import type { KubeList, KubeObject, ObjectKey } from "./object.ts";

/**
 * The only seam to an API server. The HTTP client is one implementation, the registry of the embedded server,
 * called in process without serialisation, is the other. Objects that come out are frozen and shared.
 */
export interface Transport {
  get(resource: GroupVersionResource, key: ObjectKey, options?: GetOptions): Promise<KubeObject>;
  list(resource: GroupVersionResource, options?: ListOptions): Promise<KubeList>;
  /** Ends when the server ends it; throws an ApiError for an ERROR event, such as 410 Expired. */
  watch(resource: GroupVersionResource, options?: WatchOptions): AsyncIterable<WatchEvent>;
  create(resource: GroupVersionResource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  update(resource: GroupVersionResource, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(resource: GroupVersionResource, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** Server-side apply. */
  apply(resource: GroupVersionResource, object: KubeObject, options: ApplyOptions): Promise<KubeObject>;
  /** The object while something holds it back, a Status once it is gone. */
  delete(resource: GroupVersionResource, key: ObjectKey, options?: DeleteOptions): Promise<KubeObject | Status>;
  deleteCollection(resource: GroupVersionResource, options?: DeleteOptions & ListOptions): Promise<KubeList>;
  discover(options?: CallOptions): Promise<readonly DiscoveredResource[]>;
}

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Is told each warning that the server sends along. */
  readonly onWarning?: (text: string) => void;
}

/** Which state of an object to get, and which part. */
export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** Which objects to list, from which state, and how many at once. */
export interface ListOptions extends CallOptions {
  /** Absent or empty: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan" | "Exact";
  /** Metadata is enough: a server that can leaves out the rest, and then names a kind of its own for it. */
  readonly metadataOnly?: boolean;
  /** Nobody needs to know who manages which field: a transport that can leaves that out. */
  readonly withoutManagedFields?: boolean;
  /** Nobody else gets these objects, and the caller freezes them itself: a transport that makes them leaves it to that. */
  readonly unfrozen?: boolean;
}

/** Which objects to watch, and from where. */
export interface WatchOptions extends Omit<ListOptions, "limit" | "continue"> {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeout?: Duration;
  /** A version of an object that the caller has: a transport that reads text takes from it what has not changed. */
  readonly olderVersion?: (key: ObjectKey) => KubeObject | undefined;
}

/** What happened to an object, or how far the watch has come. */
export type WatchEvent =
  | { readonly kind: "added" | "modified" | "deleted"; readonly object: KubeObject }
  | { readonly kind: "bookmark"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** How to write: as whom, how strictly, and whether at all. */
export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

/** How to apply: always as somebody, and by force or not. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
}

/** How to delete, and under which conditions. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** A change to an object in one of the three forms of patches. */
export type Patch =
  | { readonly kind: "json"; readonly operations: readonly JsonObject[] }
  | { readonly kind: "merge"; readonly patch: Json }
  | { readonly kind: "strategic"; readonly patch: Json };

/** One resource that the server serves, in one version. */
export interface DiscoveredResource extends GroupVersionKind {
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** True for the version of its group that a client should pick. */
  readonly preferred: boolean;
}
