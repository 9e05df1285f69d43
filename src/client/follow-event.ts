import type { KubeObject, WatchEvent } from "#machinery";

/** What a watch that never ends tells: everything at first and after a gap, then each change. */
export type KindEvent<Obj extends KubeObject = KubeObject> =
  | { readonly kind: "listed"; readonly objects: readonly Obj[] }
  | { readonly kind: "changed"; readonly object: Obj }
  | { readonly kind: "deleted"; readonly object: Obj };

/** What following a collection tells: its objects, and besides how far it has come. */
export type FollowEvent =
  /** From now on the server is asked for everything. */
  | { readonly kind: "listing" }
  /** Everything that is there at a revision. */
  | { readonly kind: "listed"; readonly objects: readonly KubeObject[]; readonly revision: string }
  | { readonly kind: "changed"; readonly object: KubeObject }
  | { readonly kind: "deleted"; readonly object: KubeObject }
  /** Everything up to this revision has been told. */
  | { readonly kind: "reached"; readonly revision: string }
  /** The server says that it has no such collection. */
  | { readonly kind: "missing" };

/** An event that tells of objects. */
export type ObjectsEvent = Extract<FollowEvent, { kind: "listed" | "changed" | "deleted" }>;

/** False for what only tells how far things are. */
export function isAboutObjects(event: FollowEvent): event is ObjectsEvent {
  return event.kind === "listed" || event.kind === "changed" || event.kind === "deleted";
}

/** An event of a watch as whoever follows it is told. */
export function toldOf(event: WatchEvent): FollowEvent {
  if (event.kind === "bookmark") return { kind: "reached", revision: event.resourceVersion };
  return { kind: event.kind === "deleted" ? "deleted" : "changed", object: event.object };
}
