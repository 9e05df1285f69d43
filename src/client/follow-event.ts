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
  | { readonly kind: "changed" | "deleted"; readonly object: KubeObject }
  /** Everything up to this revision has been told. */
  | { readonly kind: "reached"; readonly revision: string };

/** An event of a watch as whoever follows it is told. */
export function toldOf(event: WatchEvent): FollowEvent {
  if (event.kind === "bookmark") return { kind: "reached", revision: event.resourceVersion };
  return { kind: event.kind === "deleted" ? "deleted" : "changed", object: event.object };
}
